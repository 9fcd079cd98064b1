package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.SegmentCodec;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// Caches, for the thread that writes, the part of each segment that is needed to delete its index
/// rows.
final class SegmentCache {

  private static final int BOUND = 4096;
  private static final byte[] NOTHING = new byte[0];

  private final View view;
  private final int family;
  private final Recent<SegmentId, Optional<IndexRows>> recent = new Recent<>(BOUND);

  /// The index rows that a segment has.
  private record IndexRows(
      SegmentId id, SessionId session, EventKey start, long end, boolean open) {

    static IndexRows of(Segment segment) {
      return new IndexRows(
          segment.id(),
          segment.session(),
          segment.first(),
          segment.end().toEpochMilli(),
          segment.boundary() == Boundary.OPEN);
    }

    byte[] index() {
      return Keys.segmentIndex(session, start);
    }

    byte[] openKey() {
      return Keys.open(end, id);
    }
  }

  SegmentCache(View view, Encoder.Numbers numbers) {
    this.view = view;
    this.family = numbers.of(Family.SEGMENTS);
  }

  void put(Segment segment, byte[] value, BatchBytes batch) {
    IndexRows now = IndexRows.of(segment);
    recent.get(segment.id(), this::load).ifPresent(old -> unindex(old, batch));
    batch.put(family, Keys.segment(segment.id()), value);
    batch.put(family, now.index(), NOTHING);
    if (now.open()) {
      batch.put(family, now.openKey(), NOTHING);
    }
    recent.put(segment.id(), Optional.of(now));
  }

  void drop(SegmentId id, BatchBytes batch) {
    recent
        .get(id, this::load)
        .ifPresent(old -> {
          unindex(old, batch);
          batch.delete(family, Keys.segment(id));
        });
    recent.put(id, Optional.empty());
  }

  void trim() {
    recent.trim();
  }

  private void unindex(IndexRows old, BatchBytes batch) {
    batch.delete(family, old.index());
    if (old.open()) {
      batch.delete(family, old.openKey());
    }
  }

  private Optional<IndexRows> load(SegmentId id) {
    // The index rows of an unreadable segment are unknown. `verify` reports them until the segment
    // is written again.
    return view.readable(
        Family.SEGMENTS, Keys.segment(id), row -> IndexRows.of(SegmentCodec.decode(row)));
  }
}
