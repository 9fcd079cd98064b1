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

/// The segments as the commit thread has them: enough of each to take its index rows back.
final class SegmentCache {

  private static final int BOUND = 4096;
  private static final byte[] NOTHING = new byte[0];

  private final View view;
  private final int family;
  private final Recent<SegmentId, Optional<PendingState>> recent = new Recent<>(BOUND);

  /// The index rows that a segment has.
  private record PendingState(
      SegmentId id, SessionId session, EventKey start, long end, boolean open) {

    static PendingState of(Segment segment) {
      return new PendingState(
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
    PendingState now = PendingState.of(segment);
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

  private void unindex(PendingState old, BatchBytes batch) {
    batch.delete(family, old.index());
    if (old.open()) {
      batch.delete(family, old.openKey());
    }
  }

  private Optional<PendingState> load(SegmentId id) {
    byte[] key = Keys.segment(id);
    // Of one that cannot be read the index rows cannot be told; `verify` reports them until the
    // segment is written anew.
    return view.tolerant(
            Family.SEGMENTS,
            key,
            () ->
                Optional.ofNullable(view.get(Family.SEGMENTS, key))
                    .map(row -> PendingState.of(SegmentCodec.decode(row))))
        .flatMap(found -> found);
  }
}
