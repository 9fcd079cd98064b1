package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.SegmentCodec;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads `segments`.
public record SegmentRows(View view) implements SegmentReader {

  @Override
  public Optional<Segment> segment(SegmentId id) {
    return Optional.ofNullable(view.get(Table.SEGMENTS, Keys.segment(id)))
        .map(SegmentCodec::decode);
  }

  @Override
  public Optional<Segment> segmentAt(SessionId session, EventKey place) {
    return view
        .listBack(
            Table.SEGMENTS,
            Keys.segmentIndexPrefix(session),
            Keys.segmentIndex(session, place),
            1,
            this::indexed)
        .stream()
        .findFirst();
  }

  @Override
  public List<Segment> segmentsAfter(SessionId session, Optional<EventKey> after, int limit) {
    byte[] prefix = Keys.segmentIndexPrefix(session);
    byte[] from = after.map(key -> Keys.next(Keys.segmentIndex(session, key))).orElse(prefix);
    return view.list(Table.SEGMENTS, from, Keys.after(prefix), limit, this::indexed);
  }

  @Override
  public List<Segment> openSegments(Instant lastEventUpTo, int limit) {
    View.checkLimit(limit);
    if (lastEventUpTo.isBefore(Instant.EPOCH)) {
      return List.of();
    }
    return view.list(
        Table.SEGMENTS, Keys.openPrefix(), Keys.openBehind(lastEventUpTo), limit, this::indexed);
  }

  /// The segment of an index row. `verify` reports a row without a segment.
  private Optional<Segment> indexed(Cursor row) {
    byte[] key = Keys.segment(new SegmentId(Keys.toPlaceAtEnd(row.key()).id()));
    return view.readable(Table.SEGMENTS, key, SegmentCodec::decode);
  }
}
