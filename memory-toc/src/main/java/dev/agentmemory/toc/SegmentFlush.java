package dev.agentmemory.toc;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Closes the open segments of sessions that have been silent for the time threshold. It waits
/// until the projection has seen every event: what looks silent in the middle of an import may go
/// on with the next batch.
record SegmentFlush(TocWriter writer, TocBuilder builder, SegmentationConfig config) {

  private static final int BATCH = 256;

  /// Segments of a batch that are digested: what else is written waits meanwhile.
  private static final int DIGESTED = 16;

  /// The last millisecond that a key can hold.
  private static final Instant END_OF_TIME = Instant.ofEpochMilli(EventKey.LAST_MILLIS);

  /// @return how many segments were closed
  int run() {
    int closed = 0;
    int batch = 1;
    while (batch > 0 && !Thread.currentThread().isInterrupted()) {
      batch = writer.write(this::closeSome);
      closed += batch;
    }
    return closed;
  }

  /// When the next open segment can be closed, if its session stays silent; empty when there is
  /// none.
  Optional<Instant> nextSilence() {
    return writer.store().segments().openSegments(END_OF_TIME, BATCH).stream()
        .map(segment -> segment.end().plus(config.timeThreshold()))
        .min(Comparator.naturalOrder());
  }

  private int closeSome(TocTransaction draft) {
    if (!isCaughtUp()) {
      return 0;
    }
    Instant silentSince = writer.clock().instant().minus(config.timeThreshold());
    List<Segment> open = writer.store().segments().openSegments(silentSince, BATCH);
    int done = 0;
    List<Segment> waiting = new ArrayList<>();
    for (Segment segment : open) {
      if (waiting.size() == DIGESTED) {
        break;
      }
      done++;
      Segment closed = withBoundary(segment, Boundary.GAP);
      if (writer.store().toc().isDirty(segment.node())) {
        waiting.add(closed);
      } else {
        draft.put(closed);
        draft.node(segment.node()).ifPresent(node -> builder.finish(draft, closed, node));
      }
    }
    builder.write(draft, waiting, Map.of());
    return done;
  }

  private boolean isCaughtUp() {
    MemoryStore store = writer.store();
    return store.outbox().entries(TocProjection.cursor(store.checkpoints()), 1).isEmpty();
  }

  private static Segment withBoundary(Segment segment, Boundary boundary) {
    return new Segment(
        segment.id(),
        segment.session(),
        segment.node(),
        segment.entries(),
        segment.overlap(),
        boundary);
  }
}
