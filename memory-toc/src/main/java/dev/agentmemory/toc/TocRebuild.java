package dev.agentmemory.toc;

import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.toc.internal.segment.Cut;
import dev.agentmemory.toc.internal.segment.Segmenter;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Cuts every session again from the event log. Nothing is dropped first: readers see the old table
/// of contents turn into the new one, and what comes out the same is not written.
///
/// While it runs a mark stands in the store; when it was cut short, [#isUnfinished] says so at the
/// next start and the rebuild has to be run again.
record TocRebuild(TocWriter writer, TocBuilder builder, SegmentationConfig config) {

  private static final String MARK = "toc_rebuild";
  private static final int PAGE = 500;
  private static final int STALE_PAGE = 16;

  /// How much was cut again.
  record Result(long sessions, long segments) {}

  /// Whether an earlier run did not come to its end.
  boolean isUnfinished() {
    return writer
        .store()
        .checkpoints()
        .checkpoint(MARK)
        .map(Checkpoint::attributes)
        .map(attributes -> "true".equals(attributes.get("running")))
        .orElse(false);
  }

  /// Cuts all sessions and marks every period dirty; the rollup jobs do the rest.
  ///
  /// @throws MemoryException `CLOSED` when the thread is interrupted; it ends between two sessions
  Result run() {
    mark(true);
    long sessions = 0;
    long segments = 0;
    List<Session> page = List.of();
    do {
      Optional<SessionId> after = page.isEmpty() ? Optional.empty() : last(page);
      page = writer.store().sessions().sessions(after, PAGE);
      for (Session session : page) {
        goOn();
        segments += writer.hold(() -> cut(session.id()));
        sessions++;
      }
    } while (page.size() == PAGE);
    markPeriodsDirty();
    mark(false);
    return new Result(sessions, segments);
  }

  /// The mark stays, so the next start begins again.
  private static void goOn() {
    if (Thread.currentThread().isInterrupted()) {
      throw new MemoryException(
          ErrorCode.CLOSED,
          "the rebuild was interrupted; it runs again at the next start of the daemon");
    }
  }

  private long cut(SessionId session) {
    var rebuilt = new RebuiltSession(session);
    List<EventKey> page = List.of();
    do {
      Optional<EventKey> after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
      page = writer.store().sessions().eventsAfter(session, after, PAGE);
      List<SegmentEntry> entries = builder.storedEntries(page);
      writer.write(draft -> rebuilt.step(draft, entries));
    } while (page.size() == PAGE);
    return writer.write(rebuilt::finish);
  }

  private void markPeriodsDirty() {
    for (TocLevel level : TocLevel.PERIODS) {
      List<NodeId> page = List.of();
      do {
        Optional<NodeId> after = page.isEmpty() ? Optional.empty() : Optional.of(page.getLast());
        page = writer.store().toc().nodeIds(level, after, PAGE);
        List<NodeId> ids = page;
        writer.write(draft -> {
          ids.forEach(draft::markDirty);
          writer.store().toc().nodes(ids).forEach(draft::markUpgrade);
          return ids.size();
        });
      } while (page.size() == PAGE);
    }
  }

  private void mark(boolean running) {
    writer
        .store()
        .commit(Commit.of(new Checkpoint(MARK, 0, Map.of("running", Boolean.toString(running)))));
  }

  private static Optional<SessionId> last(List<Session> page) {
    return Optional.of(page.getLast().id());
  }

  /// A session cut from its first event; stored segments that do not come out of it vanish.
  private final class RebuiltSession {
    private final SessionId session;
    private final Segmenter segmenter = new Segmenter(config);
    private List<SegmentEntry> before = List.of();
    private Optional<EventKey> keptUpTo = Optional.empty();
    private long segments;

    RebuiltSession(SessionId session) {
      this.session = session;
    }

    long step(TocTransaction draft, List<SegmentEntry> entries) {
      for (SegmentEntry entry : entries) {
        segmenter.step(entry).ifPresent(cut -> write(draft, cut));
      }
      return segments;
    }

    long finish(TocTransaction draft) {
      segmenter.finish().ifPresent(cut -> write(draft, cut));
      dropStale(draft, Optional.empty());
      return segments;
    }

    private void write(TocTransaction draft, Cut cut) {
      Segment segment = builder.calendar().segment(session, cut, overlap(cut));
      dropStale(draft, Optional.of(segment.first()));
      builder.write(draft, List.of(segment), Map.of());
      // Words that stayed the same may have been written when there was no model to ask.
      draft.node(segment.node()).ifPresent(draft::markUpgrade);
      keptUpTo = Optional.of(segment.first());
      before = cut.entries();
      segments++;
    }

    private List<EventKey> overlap(Cut cut) {
      return Segmenter.overlap(config, before, cut.entries().getFirst()).stream()
          .map(SegmentEntry::key)
          .toList();
    }

    /// Removes stored segments that start between the segment written last and the next one.
    private void dropStale(TocTransaction draft, Optional<EventKey> next) {
      List<Segment> stale = new ArrayList<>();
      Optional<EventKey> after = keptUpTo;
      boolean more = true;
      while (more) {
        List<Segment> page = writer.store().segments().segmentsAfter(session, after, STALE_PAGE);
        List<Segment> old =
            page.stream()
                .filter(one -> next.isEmpty() || one.first().compareTo(next.get()) < 0)
                .toList();
        stale.addAll(old);
        more = old.size() == STALE_PAGE;
        after = more ? Optional.of(old.getLast().first()) : after;
      }
      stale.forEach(old -> builder.remove(draft, old));
    }
  }
}
