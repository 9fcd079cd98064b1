package dev.agentmemory.toc;

import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.Fingerprint;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Gives periods their words: a dirty node is summarised from its children, and when that changes
/// it, its parent becomes dirty. A period that is over, with nothing provisional below it, becomes
/// final.
public final class Rollup {

  private static final int BATCH = 32;
  private static final String LAST_OVER = "last_over";

  private final TocWriter writer;
  private final Summarizer summarizer;
  private final ParallelMapper mapper;
  private final TocCalendar calendar;
  private final PeriodParts parts;

  /// @param mapper digests periods side by side
  public Rollup(TocWriter writer, Summarizer summarizer, ParallelMapper mapper) {
    this.writer = writer;
    this.summarizer = summarizer;
    this.mapper = mapper;
    this.calendar = new TocCalendar(writer.store().zone());
    this.parts = new PeriodParts(writer.store());
  }

  /// Rolls up the dirty nodes of one level.
  ///
  /// @return how many nodes were looked at
  public int run(TocLevel level) {
    markFinished(level);
    int done = 0;
    int batch = BATCH;
    while (batch == BATCH && !Thread.currentThread().isInterrupted()) {
      batch = writer.write(draft -> rollSome(draft, level));
      done += batch;
    }
    return done;
  }

  /// When the next period of a level is over that is not known to be: by then it becomes final
  /// without any event. Empty when there is none.
  public Optional<Instant> nextEnd(TocLevel level) {
    List<NodeId> next = writer.store().toc().nodeIds(level, lastOver(finished(level)), 1);
    // A period's end is its last millisecond.
    return writer.store().toc().nodes(next).stream()
        .map(node -> node.span().end().plusMillis(1))
        .findFirst();
  }

  /// Rolls up periods now, and leaves nothing of what they have said before.
  ///
  /// @param periods whose parts have changed, with all periods above them
  void purge(Collection<NodeId> periods) {
    for (TocLevel level : TocLevel.PERIODS) {
      List<NodeId> ids = periods.stream().filter(id -> id.level() == level).sorted().toList();
      for (int from = 0; from < ids.size(); from += BATCH) {
        List<NodeId> some = ids.subList(from, Math.min(ids.size(), from + BATCH));
        writer.write(draft -> {
          int rolled = roll(draft, level, some);
          some.forEach(draft::purge);
          return rolled;
        });
      }
    }
  }

  private int rollSome(TocTransaction draft, TocLevel level) {
    return roll(draft, level, writer.store().toc().dirty(level, BATCH));
  }

  private int roll(TocTransaction draft, TocLevel level, List<NodeId> dirty) {
    dirty.forEach(draft::clearDirty);
    List<TocNode> periods = dirty.stream().map(draft::node).flatMap(Optional::stream).toList();
    for (Rolled rolled : mapper.map(periods, this::roll)) {
      draft.put(rolled.after());
      // A week takes the titles of its strands from segments, of which its days need not tell.
      if (rolled.changed() || level == TocLevel.DAY) {
        TocCalendar.ancestors(rolled.after().id()).stream().findFirst().ifPresent(draft::markDirty);
      }
    }
    return dirty.size();
  }

  private record Rolled(TocNode after, boolean changed) {}

  private Rolled roll(TocNode before) {
    List<PeriodPart> read = parts.of(before);
    List<TocNode> children = read.stream().map(PeriodPart::node).toList();
    boolean open =
        !writer.clock().instant().isAfter(before.span().end())
            || children.stream().anyMatch(child -> child.edition().provisional());
    TocNode after =
        isStillAbout(before, children)
            ? before.withEdition(before.edition().withProvisional(open))
            : worded(
                before,
                summarizer.digest(before.level(), read),
                new Edition(1, writer.clock().instant(), open, summarizer.name()));
    return new Rolled(after, !before.sameContent(after) || before.edition().provisional() != open);
  }

  /// Whether a model wrote the words about the very same parts, so that they stay.
  private static boolean isStillAbout(TocNode node, List<TocNode> children) {
    Optional<String> input = node.edition().input();
    return input.isPresent() && input.get().equals(Fingerprint.of(children));
  }

  /// A period in other words.
  TocNode worded(TocNode period, Digest digest, Edition edition) {
    return new TocNode(
        period.id(),
        calendar.title(period.id()),
        digest.prose(),
        digest.bullets(),
        digest.keywords(),
        period.children(),
        period.span(),
        edition);
  }

  /// Marks periods that have ended since the last run and got no event since, because nothing else
  /// would make them final. The id of the last checked period is stored, so few nodes are read.
  private void markFinished(TocLevel level) {
    String name = finished(level);
    int batch = BATCH;
    while (batch == BATCH && !Thread.currentThread().isInterrupted()) {
      batch = markSome(level, name);
    }
  }

  private int markSome(TocLevel level, String name) {
    MemoryStore store = writer.store();
    List<TocNode> over =
        store.toc().nodes(store.toc().nodeIds(level, lastOver(name), BATCH)).stream()
            .takeWhile(node -> writer.clock().instant().isAfter(node.span().end()))
            .toList();
    if (over.isEmpty()) {
      return 0;
    }
    String last = over.getLast().id().value();
    return writer.write(
        new Checkpoint(name, 0, Map.of(LAST_OVER, last)),
        draft -> {
          over.stream()
              .filter(node -> node.edition().provisional())
              .forEach(node -> draft.markDirty(node.id()));
          return over.size();
        });
  }

  private Optional<NodeId> lastOver(String name) {
    return writer
        .store()
        .checkpoints()
        .checkpoint(name)
        .map(Checkpoint::attributes)
        .map(attributes -> attributes.get(LAST_OVER))
        .flatMap(NodeId::parse);
  }

  private static String finished(TocLevel level) {
    return "finished:" + level.name().toLowerCase(Locale.ROOT);
  }
}
