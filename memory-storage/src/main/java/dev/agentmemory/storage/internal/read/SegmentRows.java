package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.SegmentCodec;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `segments`.
public final class SegmentRows implements SegmentReader {

  private final View view;

  public SegmentRows(View view) {
    this.view = view;
  }

  @Override
  public Optional<Segment> segment(SegmentId id) {
    return Optional.ofNullable(view.get(Family.SEGMENTS, Keys.segment(id)))
        .map(SegmentCodec::decode);
  }

  @Override
  public Optional<Segment> segmentAt(SessionId session, EventKey place) {
    var found = new ArrayList<Segment>(1);
    view.scanBack(
        Family.SEGMENTS,
        Keys.segmentIndexPrefix(session),
        Keys.segmentIndex(session, place),
        row -> {
          readable(row.key()).ifPresent(found::add);
          return found.isEmpty();
        });
    return found.stream().findFirst();
  }

  @Override
  public List<Segment> segmentsAfter(SessionId session, Optional<EventKey> after, int limit) {
    View.checkLimit(limit);
    byte[] prefix = Keys.segmentIndexPrefix(session);
    byte[] from = after.map(key -> Keys.next(Keys.segmentIndex(session, key))).orElse(prefix);
    return scan(from, Keys.after(prefix), limit);
  }

  @Override
  public List<Segment> openSegments(Instant lastEventUpTo, int limit) {
    View.checkLimit(limit);
    if (lastEventUpTo.isBefore(Instant.EPOCH)) {
      return List.of();
    }
    return scan(Keys.openPrefix(), Keys.openBehind(lastEventUpTo), limit);
  }

  private List<Segment> scan(byte[] from, byte[] to, int limit) {
    var found = new ArrayList<Segment>();
    view.scan(
        Family.SEGMENTS,
        from,
        to,
        row -> {
          readable(row.key()).ifPresent(found::add);
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  /// The segment of an index row. `verify` reports a row without a segment.
  private Optional<Segment> readable(byte[] indexKey) {
    byte[] key = Keys.segment(new SegmentId(Keys.toPlaceAtEnd(indexKey).id()));
    return view.tolerant(
            Family.SEGMENTS,
            key,
            () -> Optional.ofNullable(view.get(Family.SEGMENTS, key)).map(SegmentCodec::decode))
        .flatMap(found -> found);
  }
}
