package dev.agentmemory.toc;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.Fingerprint;
import dev.agentmemory.toc.summary.Passage;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.toc.summary.model.Asked;
import dev.agentmemory.toc.summary.model.Attempted;
import dev.agentmemory.toc.summary.model.ModelException;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Has a model write better words for closed segments and periods that are over, bottom-up, within
/// the day's budget.
///
/// Idea: what was written without a model stands until something better is there, so nothing waits
/// for a provider and an outage costs nothing but time. A mark beside each node says that it waits;
/// it is cleared in the commit that brings the new words, so whatever is cut short is done later
/// and nothing twice. The model is asked outside the desk's turn; a node that has changed meanwhile
/// keeps its new content and its mark.
///
/// A node is asked about once for the same content, whatever comes of it: an answer that cannot be
/// used leaves the old words for good.
public final class SummaryUpgrade {

  /// The job's name, also in the ledger.
  public static final String JOB = "llm_summaries";

  private static final int PAGE = 64;
  private static final Duration FIRST_REST = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 5;
  private static final List<TocLevel> BOTTOM_UP =
      List.of(TocLevel.SEGMENT, TocLevel.DAY, TocLevel.WEEK, TocLevel.MONTH, TocLevel.YEAR);

  private final TocDesk desk;
  private final TocBuilder builder;
  private final Rollup rollup;
  private final ModelSummarizer model;
  private final TokenBudget budget;
  private volatile @Nullable Halt halted;
  private int outages;

  public SummaryUpgrade(
      TocDesk desk, TocBuilder builder, Rollup rollup, ModelSummarizer model, TokenBudget budget) {
    this.desk = desk;
    this.builder = builder;
    this.rollup = rollup;
    this.model = model;
    this.budget = budget;
  }

  /// What a run did.
  ///
  /// @param upgraded nodes with new words
  /// @param kept nodes whose answer could not be used, or that no call can be made for
  /// @param tokens of all requests and answers
  /// @param halt why nodes are left that have to wait; empty when none is
  public record Result(long upgraded, long kept, long tokens, Optional<Halt> halt) {}

  /// Why the model is not asked now.
  ///
  /// @param why tells an operator what is the matter and what to do
  /// @param until when it is worth trying again; empty when somebody has to change something first
  public record Halt(String why, Optional<Instant> until) {}

  /// Upgrades all that waits. Ends early, between two nodes, when its thread is interrupted.
  public Result run() {
    Halt before = halted;
    if (before != null && before.until().filter(this::isAhead).isPresent()) {
      return new Result(0, 0, 0, Optional.of(before));
    }
    var run = new Run();
    for (TocLevel level : BOTTOM_UP) {
      if (level != TocLevel.SEGMENT && run.goesOn()) {
        rollup.run(level);
      }
      run.level(level);
    }
    halted = run.halt;
    return run.result();
  }

  private boolean isAhead(Instant time) {
    return desk.clock().instant().isBefore(time);
  }

  /// Why nodes wait now, as the last run found; empty when it came to its end.
  public Optional<String> waitsFor() {
    return Optional.ofNullable(halted).map(Halt::why);
  }

  /// Whether a node waits for better words.
  public boolean isWaiting() {
    return BOTTOM_UP.stream()
        .anyMatch(level -> !desk.store().upgrades(level, Optional.empty(), 1).isEmpty());
  }

  /// When a run has something to do; empty when no node waits, or somebody has to change something
  /// first.
  public Optional<Instant> due() {
    if (!isWaiting()) {
      return Optional.empty();
    }
    Halt why = halted;
    return why == null ? Optional.of(desk.clock().instant()) : why.until();
  }

  private final class Run {

    private long upgraded;
    private long kept;
    private long tokens;
    private @Nullable Halt halt;

    Result result() {
      return new Result(upgraded, kept, tokens, Optional.ofNullable(halt));
    }

    boolean goesOn() {
      return halt == null && !Thread.currentThread().isInterrupted();
    }

    void level(TocLevel level) {
      Optional<NodeId> after = Optional.empty();
      int size = PAGE;
      while (size == PAGE && goesOn()) {
        List<NodeId> page = desk.store().upgrades(level, after, PAGE);
        for (NodeId id : page) {
          if (goesOn()) {
            upgrade(id);
          }
        }
        size = page.size();
        after = page.isEmpty() ? after : Optional.of(page.getLast());
      }
    }

    private void upgrade(NodeId id) {
      Optional<TocNode> node = desk.store().node(id).filter(one -> !one.edition().provisional());
      if (node.isEmpty()) {
        // It gets a new mark when it is final.
        settle(id);
      } else if (id.level() == TocLevel.SEGMENT) {
        segment(node.get());
      } else {
        period(node.get());
      }
    }

    private void segment(TocNode node) {
      Optional<Segment> segment = desk.store().segment(SegmentId.of(node.id()));
      if (segment.isEmpty()) {
        settle(node.id());
        return;
      }
      Passage passage = builder.passage(segment.get());
      if (isDone(node, Fingerprint.of(passage))) {
        return;
      }
      Optional<Asked<Summary>> asked =
          ask(node, model.estimate(passage), () -> model.summarize(passage));
      asked.ifPresent(answer ->
          write(
              node,
              answer,
              draft ->
                  answer
                      .answer()
                      .filter(words ->
                          builder.reword(draft, segment.get(), passage, words, model.name()))
                      .isPresent()));
    }

    private void period(TocNode node) {
      List<TocNode> children = desk.store().nodes(node.children());
      String input = Fingerprint.of(children);
      if (isDone(node, input)) {
        return;
      }
      Optional<Asked<Digest>> asked =
          ask(
              node,
              model.estimate(node.level(), node.title(), children),
              () -> model.digest(node.level(), node.title(), children));
      asked.ifPresent(answer ->
          write(
              node,
              answer,
              draft -> {
                answer.answer().ifPresent(digest -> reword(draft, node, digest, input));
                return answer.answer().isPresent();
              }));
    }

    private void reword(TocDraft draft, TocNode node, Digest digest, String input) {
      var edition =
          new Edition(
              1,
              desk.clock().instant(),
              /* provisional= */ false,
              model.name(),
              Optional.empty(),
              Optional.of(input));
      draft.put(rollup.worded(node, digest, edition));
      TocCalendar.ancestors(node.id()).stream().findFirst().ifPresent(draft::markDirty);
    }

    /// Whether the words are a model's about the same content already.
    private boolean isDone(TocNode node, String input) {
      if (!node.edition().input().equals(Optional.of(input))) {
        return false;
      }
      settle(node.id());
      return true;
    }

    private void settle(NodeId id) {
      desk.store().commit(Commit.of(new Change.ClearUpgrade(id)));
    }

    private interface Question<T> {
      Asked<T> ask();
    }

    /// @return empty when it was not asked, or did not answer
    private <T> Optional<Asked<T>> ask(TocNode node, long atMost, Question<T> question) {
      if (!budget.everHas(atMost)) {
        kept++;
        settle(node.id());
        return Optional.empty();
      }
      if (!budget.has(atMost)) {
        halt =
            new Halt(
                "today's token budget is used up: %d of %d tokens (summarizer.daily_token_budget), the next summary may take %d; it goes on at %s"
                    .formatted(budget.used(), budget.perDay(), atMost, budget.nextDay()),
                Optional.of(budget.nextDay()));
        return Optional.empty();
      }
      try {
        Asked<T> asked = question.ask();
        outages = 0;
        return Optional.of(asked);
      } catch (ModelException e) {
        calls(node, e.calls())
            .forEach(call -> desk.store().commit(Commit.of(new Change.RecordCall(call))));
        halt = halt(e);
        return Optional.empty();
      }
    }

    private Halt halt(ModelException e) {
      return new Halt(
          String.valueOf(e.getMessage()),
          switch (e.kind()) {
            case REFUSED -> Optional.empty();
            case INTERRUPTED -> Optional.of(desk.clock().instant());
            case UNAVAILABLE -> Optional.of(desk.clock().instant().plus(rest(e)));
          });
    }

    /// Longer every time, or what the provider asks for.
    private Duration rest(ModelException e) {
      Duration own = FIRST_REST.multipliedBy(1L << Math.min(outages++, MOST_DOUBLINGS));
      return e.retryAfter().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }

    /// Brings in what was answered, if the node is still the one that was asked about.
    private void write(TocNode node, Asked<?> asked, Function<TocDraft, Boolean> words) {
      List<ModelCall> calls = calls(node, asked.calls());
      builder.addUnsupported(asked.unsupported());
      boolean reworded =
          desk.write(draft -> {
            calls.forEach(draft::record);
            if (!draft.node(node.id()).equals(Optional.of(node))) {
              return false;
            }
            boolean written = words.apply(draft);
            draft.clearUpgrade(node.id());
            return written;
          });
      if (reworded) {
        upgraded++;
      } else {
        kept++;
      }
    }

    private List<ModelCall> calls(TocNode node, List<Attempted> attempts) {
      List<ModelCall> calls = attempts.stream().map(attempt -> call(node, attempt)).toList();
      for (ModelCall call : calls) {
        budget.add(call);
        tokens += call.inputTokens() + call.outputTokens();
      }
      return calls;
    }

    private ModelCall call(TocNode node, Attempted attempt) {
      return new ModelCall(
          UlidCreator.getUlid(attempt.time().toEpochMilli()).toString(),
          attempt.time(),
          JOB,
          Optional.of(node.id()),
          model.name(),
          attempt.inputTokens(),
          attempt.outputTokens(),
          attempt.duration(),
          attempt.outcome());
    }
  }
}
