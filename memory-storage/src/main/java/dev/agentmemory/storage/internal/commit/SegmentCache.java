package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.SegmentCodec;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
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

  SegmentCache(View view) {
    this.view = view;
  }

  void put(Segment segment, byte[] value, RowBatch batch) {
    IndexRows now = IndexRows.of(segment);
    recent.get(segment.id(), this::load).ifPresent(old -> unindex(old, batch));
    batch.put(Table.SEGMENTS, Keys.segment(segment.id()), value);
    batch.put(Table.SEGMENTS, now.index(), NOTHING);
    if (now.open()) {
      batch.put(Table.SEGMENTS, now.openKey(), NOTHING);
    }
    recent.put(segment.id(), Optional.of(now));
  }

  void drop(SegmentId id, RowBatch batch) {
    recent
        .get(id, this::load)
        .ifPresent(old -> {
          unindex(old, batch);
          batch.delete(Table.SEGMENTS, Keys.segment(id));
        });
    recent.put(id, Optional.empty());
  }

  void trim() {
    recent.trim();
  }

  private void unindex(IndexRows old, RowBatch batch) {
    batch.delete(Table.SEGMENTS, old.index());
    if (old.open()) {
      batch.delete(Table.SEGMENTS, old.openKey());
    }
  }

  private Optional<IndexRows> load(SegmentId id) {
    // The index rows of an unreadable segment are unknown. `verify` reports them until the segment
    // is written again.
    return view.readable(
        Table.SEGMENTS, Keys.segment(id), row -> IndexRows.of(SegmentCodec.decode(row)));
  }
}
