package dev.agentmemory.toc;

import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.model.Attempted;
import dev.agentmemory.model.ModelException;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.toc.segment.LedgerRows;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.Fingerprint;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.model.ModelAnswer;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import dev.agentmemory.toc.summary.model.PricedRequest;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces the extractive summaries of closed segments and ended periods by a model's, bottom-up
/// and the latest first, within the day's budget.
///
/// Idea: the extractive summary stays until the model's summary replaces it, so nothing waits for a
/// provider, and an outage only delays. A mark beside each node says that it waits. The commit that
/// writes the new summary clears the mark, so an interrupted upgrade is done later, and none is
/// done twice. The request is sent outside the writer's lock. A node that has changed meanwhile
/// keeps its new content and its mark. A period is requested once nothing below it waits.
///
/// A node is requested once for the same content: if the answer cannot be used, the extractive
/// summary stays until the model or the prompt is another one. It also stays if one node repeatedly
/// gets no answer while others do, so that this node does not delay them.
public final class SummaryUpgrade {

  /// The job's name, also in the ledger.
  public static final String JOB = "llm_summaries";

  private static final Logger LOG = LoggerFactory.getLogger(SummaryUpgrade.class);

  /// The checkpoint that says which version of model and prompts was asked last.
  private static final String ASKED = "llm_summaries_asked";

  private static final String VERSION = "version";

  /// Segments after which the periods above are looked at.
  private static final int PAGE = 32;

  /// So many different nodes in a row without an answer are an outage.
  private static final int OUTAGE = 2;

  /// So many times is a node asked about that gets no answer while others do.
  private static final int MOST_TRIES = 3;

  /// So many in a row that the provider will not answer about, and it is not their texts.
  private static final int MOST_TURNED_DOWN = 3;

  private static final int MOST_REMEMBERED = 1000;
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
  private static final int MOST_DOUBLINGS = 5;

  private final TocWriter writer;
  private final TocBuilder builder;
  private final Rollup rollup;
  private final Predicate<TocLevel> mayRollUp;
  private final ModelSummarizer model;
  private final TokenBudget budget;
  private final LedgerRows ledger;
  private final Duration longest;
  private volatile @Nullable Halt halted;

  // Touched by one run at a time.
  private final Map<NodeId, Integer> unanswered = new HashMap<>();
  private int outages;

  /// @param random chooses the ids of the rows of the ledger
  /// @param mayRollUp whether periods of a level may be rolled up now
  /// @param longest how long a run may take; it ends between two nodes
  public SummaryUpgrade(
      RandomGenerator random,
      TocWriter writer,
      TocBuilder builder,
      Rollup rollup,
      Predicate<TocLevel> mayRollUp,
      ModelSummarizer model,
      TokenBudget budget,
      Duration longest) {
    this.writer = writer;
    this.builder = builder;
    this.rollup = rollup;
    this.mayRollUp = mayRollUp;
    this.model = model;
    this.budget = budget;
    this.ledger = new LedgerRows(random, JOB, model.name(), budget);
    this.longest = longest;
  }

  /// What a run did.
  ///
  /// @param upgraded nodes with a new summary
  /// @param kept nodes that keep their summary: no answer could be used, or no call can be made
  /// @param tokens of all requests and answers
  /// @param halt why nodes are left that have to wait; empty when none is, or there was no time
  public record Result(long upgraded, long kept, long tokens, Optional<Halt> halt) {}

  /// Why the model is not asked now.
  ///
  /// @param why reason and remedy, for an operator
  /// @param until when to try again; empty if the configuration has to change first
  /// @param failure whether this is a fault; a used-up budget is not
  public record Halt(String why, Optional<Instant> until, boolean failure) {

    Halt(String why, Optional<Instant> until) {
      this(why, until, true);
    }
  }

  /// Upgrades all that waits, unless the last run found that it is too early. Ends early, between
  /// two nodes, when its thread is interrupted.
  public Result run() {
    Halt before = halted;
    return before != null && before.until().filter(this::isAhead).isPresent()
        ? new Result(0, 0, 0, Optional.of(before))
        : runNow();
  }

  /// The same, however early it is.
  public Result runNow() {
    reconsider();
    var run = new Run(writer.clock().instant().plus(longest));
    run.all();
    halted = run.halt;
    return run.result();
  }

  /// Marks what no answer could be used about again when the model or the prompt has changed.
  private void reconsider() {
    Checkpoint now = new Checkpoint(ASKED, 0, Map.of(VERSION, model.version()));
    Optional<Checkpoint> before = writer.store().checkpoints().checkpoint(ASKED);
    if (before.equals(Optional.of(now)) || writer.store().problem().isPresent()) {
      return;
    }
    // Without a checkpoint it is not known with which version something was asked about.
    List<NodeId> unused = before.isPresent() ? List.copyOf(unused()) : List.of();
    for (int from = 0; from < unused.size(); from += PAGE) {
      List<NodeId> some = unused.subList(from, Math.min(from + PAGE, unused.size()));
      writer.write(draft -> {
        some.forEach(id -> draft.node(id).ifPresent(draft::markUpgrade));
        return some.size();
      });
    }
    writer.store().commit(Commit.of(now));
  }

  /// The nodes about which the last answer could not be used.
  private Set<NodeId> unused() {
    var unused = new LinkedHashSet<NodeId>();
    writer
        .store()
        .ledger()
        .modelCalls(
            Instant.EPOCH,
            writer.clock().instant().plusMillis(1),
            call -> {
              if (call.job().equals(JOB) && call.node().isPresent()) {
                switch (call.outcome()) {
                  case MALFORMED, UNSUPPORTED -> unused.add(call.node().get());
                  case SUCCESS -> unused.remove(call.node().get());
                  case FAILED, TIMEOUT, REFUSED -> {}
                }
              }
            });
    return unused;
  }

  private boolean isAhead(Instant time) {
    return writer.clock().instant().isBefore(time);
  }

  /// Why nodes wait now, as the last run found; empty when it came to its end.
  public Optional<String> waitsFor() {
    return Optional.ofNullable(halted).map(Halt::why);
  }

  /// That a good part of today's answers could not be used; empty when they could.
  public Optional<String> problem() {
    return budget.problem();
  }

  /// @param name of the summariser
  public SummarizerReport report(String name) {
    return new SummarizerReport(
        name,
        Optional.of(new SummarizerReport.Spending(budget.used(), budget.perDay())),
        isWaiting(),
        waitsFor());
  }

  /// Whether a node waits for the model's summary.
  public boolean isWaiting() {
    return isWaiting(TocLevel.SEGMENT) || TocLevel.PERIODS.stream().anyMatch(this::isWaiting);
  }

  private boolean isWaiting(TocLevel level) {
    return !writer.store().toc().upgrades(level, Optional.empty(), 1).isEmpty();
  }

  /// When the next run is due; empty if no node waits, or the configuration has to change first.
  public Optional<Instant> due() {
    if (!isWaiting()) {
      return Optional.empty();
    }
    Halt why = halted;
    return why == null ? Optional.of(writer.clock().instant()) : why.until();
  }

  private final class Run {

    private final Instant end;
    private final Set<NodeId> failed = new LinkedHashSet<>();
    private final List<TocNode> turnedDown = new ArrayList<>();
    private long upgraded;
    private long kept;
    private long tokens;
    private @Nullable Halt halt;

    /// The last failure, as long as no other node was answered since.
    private @Nullable ModelException outage;

    private int inARow;

    Run(Instant end) {
      this.end = end;
    }

    Result result() {
      return new Result(upgraded, kept, tokens, Optional.ofNullable(halt));
    }

    /// A page of segments, then what has become complete above them, and so on.
    void all() {
      Optional<NodeId> before = Optional.empty();
      boolean more = true;
      while (more && goesOn()) {
        List<NodeId> page = writer.store().toc().upgrades(TocLevel.SEGMENT, before, PAGE);
        upgrade(page);
        for (TocLevel level : TocLevel.PERIODS) {
          if (goesOn() && mayRollUp.test(level)) {
            rollup.run(level);
          }
          periods(level);
        }
        more = page.size() == PAGE;
        before = page.isEmpty() ? before : Optional.of(page.getLast());
      }
      if (halt == null && outage != null) {
        halt(outage);
      }
    }

    private boolean goesOn() {
      return halt == null
          && !Thread.currentThread().isInterrupted()
          && writer.clock().instant().isBefore(end);
    }

    private void periods(TocLevel level) {
      Optional<NodeId> before = Optional.empty();
      int size = PAGE;
      while (size == PAGE && goesOn()) {
        List<NodeId> page = writer.store().toc().upgrades(level, before, PAGE);
        upgrade(page);
        size = page.size();
        before = page.isEmpty() ? before : Optional.of(page.getLast());
      }
    }

    private void upgrade(List<NodeId> page) {
      for (NodeId id : page) {
        if (goesOn() && !failed.contains(id)) {
          try {
            upgrade(id);
          } catch (MemoryException e) {
            e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
            // Its mark stays: once the damage is repaired there is something to read.
            LOG.warn("{} keeps its extractive summary: {}", id, e.getMessage());
            failed.add(id);
          }
        }
      }
    }

    private void upgrade(NodeId id) {
      Optional<TocNode> node = writer.store().toc().node(id);
      boolean wanted =
          node.map(TocNode::edition)
              .filter(edition -> !edition.provisional() && edition.revertedTo().isEmpty())
              .isPresent();
      if (!wanted) {
        // It gets a new mark when it is final.
        settle(id, node);
      } else if (id.level() == TocLevel.SEGMENT) {
        segment(node.get());
      } else if (node.get().children().stream().noneMatch(writer.store().toc()::awaitsUpgrade)) {
        period(node.get());
      }
    }

    private void segment(TocNode node) {
      SegmentId id = SegmentId.of(node.id());
      Optional<Segment> segment = writer.store().segments().segment(id);
      if (segment.isEmpty()) {
        settle(node.id(), Optional.of(node));
        return;
      }
      SegmentText passage = builder.passage(segment.get());
      if (isDone(node, Fingerprint.of(passage))) {
        return;
      }
      ask(node, model.about(passage))
          .ifPresent(answer ->
              write(
                  node,
                  answer,
                  () -> writer.store().segments().segment(id).equals(segment),
                  (draft, words) ->
                      builder.replaceSummary(draft, segment.get(), passage, words, model.name())));
    }

    private void period(TocNode node) {
      List<TocNode> children = writer.store().toc().nodes(node.children());
      String input = Fingerprint.of(children);
      if (isDone(node, input)) {
        return;
      }
      ask(node, model.about(node.level(), node.title(), children))
          .ifPresent(answer ->
              write(
                  node,
                  answer,
                  () -> Fingerprint.of(writer.store().toc().nodes(node.children())).equals(input),
                  (draft, digest) -> {
                    replaceSummary(draft, node, digest, input);
                    return true;
                  }));
    }

    private void replaceSummary(TocTransaction draft, TocNode node, Digest digest, String input) {
      var edition =
          new Edition(
              1,
              writer.clock().instant(),
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
      settle(node.id(), Optional.of(node));
      return true;
    }

    /// Clears a mark, unless the node has changed since: then it may be another mark.
    private void settle(NodeId id, Optional<TocNode> seen) {
      writer.write(draft -> {
        if (draft.node(id).equals(seen)) {
          draft.clearUpgrade(id);
        }
        return seen;
      });
    }

    private void keep(TocNode node) {
      kept++;
      unanswered.remove(node.id());
      settle(node.id(), Optional.of(node));
    }

    /// @return empty when it was not asked, or did not answer
    private <T> Optional<ModelAnswer<T>> ask(TocNode node, PricedRequest<T> question) {
      Optional<String> problem = writer.store().problem();
      if (problem.isPresent()) {
        // Every paid call must fit into the ledger.
        halt = new Halt(problem.get(), Optional.of(writer.clock().instant().plus(FIRST_PAUSE)));
        return Optional.empty();
      }
      if (!budget.everHas(question.estimate())) {
        keep(node);
        return Optional.empty();
      }
      if (!budget.has(question.estimate())) {
        usedUp(question.estimate());
        return Optional.empty();
      }
      try {
        ModelAnswer<T> asked = question.ask(budget::has);
        turnedDown.forEach(this::keep);
        turnedDown.clear();
        outage = null;
        inARow = 0;
        outages = 0;
        return Optional.of(asked);
      } catch (ModelException e) {
        List<ModelCall> calls = calls(node, e.calls());
        if (!calls.isEmpty()) {
          writer
              .store()
              .commit(Commit.of(calls.stream().<Change>map(Change.RecordCall::new).toList()));
        }
        fail(node, question, e);
        return Optional.empty();
      }
    }

    private void fail(TocNode node, PricedRequest<?> question, ModelException e) {
      switch (e.kind()) {
        case REFUSED -> halt = new Halt(message(e), Optional.empty());
        case INTERRUPTED -> halt = new Halt(message(e), Optional.of(writer.clock().instant()));
        case UNAFFORDABLE -> usedUp(question.estimate());
        case UNANSWERABLE -> unanswerable(node, e);
        case UNAVAILABLE -> unavailable(node, e);
      }
    }

    /// It may be about this text, or about every text: only another node's answer tells.
    private void unanswerable(TocNode node, ModelException e) {
      LOG.info("the model did not answer for {}: {}", node.id(), message(e));
      turnedDown.add(node);
      if (turnedDown.size() >= MOST_TURNED_DOWN) {
        halt = new Halt(message(e), Optional.empty());
      }
    }

    private void unavailable(TocNode node, ModelException e) {
      outage = e;
      failed.add(node.id());
      inARow++;
      if (inARow >= OUTAGE || e.retryAfter().isPresent()) {
        halt(e);
      } else if (tries(node) >= MOST_TRIES) {
        LOG.info("{} keeps its summary; the model did not answer: {}", node.id(), message(e));
        keep(node);
      }
    }

    private int tries(TocNode node) {
      if (unanswered.size() >= MOST_REMEMBERED) {
        unanswered.clear();
      }
      return unanswered.merge(node.id(), 1, Integer::sum);
    }

    private void usedUp(long atMost) {
      halt =
          new Halt(
              ("today's token budget is used up: %d of %d tokens (summarizer.daily_token_budget),"
                      + " the next summary may take %d; the job resumes at %s")
                  .formatted(budget.used(), budget.perDay(), atMost, budget.nextDay()),
              Optional.of(budget.nextDay()),
              /* failure= */ false);
    }

    private void halt(ModelException e) {
      // An outage is no node's fault.
      failed.forEach(unanswered::remove);
      halt = new Halt(message(e), Optional.of(writer.clock().instant().plus(rest(e))));
    }

    private static String message(ModelException e) {
      return String.valueOf(e.getMessage());
    }

    /// Longer every time, or what the provider asks for.
    private Duration rest(ModelException e) {
      Duration own = FIRST_PAUSE.multipliedBy(1L << Math.min(outages++, MOST_DOUBLINGS));
      return e.retryAfter().filter(asked -> asked.compareTo(own) > 0).orElse(own);
    }

    /// Brings in what was answered, if the node and what it was made of are still what was asked
    /// about.
    ///
    /// @param words writes the words; false when none of them could be
    private <T> void write(
        TocNode node,
        ModelAnswer<T> asked,
        BooleanSupplier unchanged,
        BiPredicate<TocTransaction, T> words) {
      List<ModelCall> calls = calls(node, asked.calls());
      unanswered.remove(node.id());
      boolean replaced =
          writer.write(draft -> {
            calls.forEach(draft::record);
            if (!draft.node(node.id()).equals(Optional.of(node)) || !unchanged.getAsBoolean()) {
              return false;
            }
            boolean written =
                asked.answer().filter(answer -> words.test(draft, answer)).isPresent();
            builder.addUnsupported(asked.unsupported());
            draft.clearUpgrade(node.id());
            return written;
          });
      if (replaced) {
        upgraded++;
      } else {
        kept++;
      }
    }

    private List<ModelCall> calls(TocNode node, List<Attempted> attempts) {
      List<ModelCall> calls = ledger.counted(attempts, Optional.of(node.id()));
      for (ModelCall call : calls) {
        tokens += call.inputTokens() + call.outputTokens();
      }
      return calls;
    }
  }
}
