package dev.agentmemory.storage.verify;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.SegmentCodec;
import dev.agentmemory.storage.read.SegmentRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Cursor;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks `segments`: events exist, nothing overlaps within a session, both indexes match.
final class SegmentCheck {

  private final View view;
  private final Findings findings;
  private final SegmentRows rows;
  private long segments;
  private long open;
  private long indexed;
  private @Nullable SessionId session;
  private @Nullable EventKey end;

  SegmentCheck(View view, Findings findings) {
    this.view = view;
    this.findings = findings;
    this.rows = new SegmentRows(view);
  }

  void run() {
    view.scan(
        Table.SEGMENTS,
        Keys.segmentPrefix(),
        row -> {
          segments++;
          findings
              .readable(Table.SEGMENTS, row.key(), () -> SegmentCodec.decode(row.value()))
              .ifPresent(this::checkSegment);
          return findings.more();
        });
    view.scan(Table.SEGMENTS, Keys.segmentIndexPrefix(), this::checkOrder);
    String starts = indexed + " index rows for " + segments + " segments";
    findings.demand(indexed == segments, Table.SEGMENTS, "idx", starts);
    long[] marked = new long[1];
    view.scan(
        Table.SEGMENTS,
        Keys.openPrefix(),
        row -> {
          marked[0]++;
          return findings.more();
        });
    String ends = marked[0] + " open rows for " + open + " open segments";
    findings.demand(marked[0] == open, Table.SEGMENTS, "open", ends);
  }

  private void checkSegment(Segment segment) {
    List<byte[]> keys =
        segment.entries().stream()
            .map(SegmentEntry::key)
            .map(key -> Keys.sessionEvent(segment.session(), key))
            .toList();
    boolean known = view.getReadable(Table.SESSIONS, keys).stream().allMatch(row -> row != null);
    findings.demand(
        known, Table.SEGMENTS, segment.id(), "names events that its session does not have");
    byte[] index = Keys.segmentIndex(segment.session(), segment.first());
    boolean found = view.has(Table.SEGMENTS, index);
    findings.demand(found, Table.SEGMENTS, segment.id(), "has no index row");
    if (segment.boundary() == Boundary.OPEN) {
      open++;
      boolean marked = view.has(Table.SEGMENTS, Keys.open(segment));
      findings.demand(marked, Table.SEGMENTS, segment.id(), "is open without an open row");
    }
  }

  private boolean checkOrder(Cursor row) {
    indexed++;
    byte[] key = row.key();
    SessionId next = Keys.toSession(key);
    if (!next.equals(session)) {
      session = next;
      end = null;
    }
    EventKey start = Keys.toPlaceAtEnd(key);
    boolean apart = end == null || end.compareTo(start) < 0;
    findings.demand(apart, Table.SEGMENTS, Keys.text(key), "overlaps the previous segment");
    Optional<Segment> segment =
        findings
            .readable(Table.SEGMENTS, key, () -> rows.segment(new SegmentId(start.id())))
            .flatMap(found -> found);
    findings.demand(segment.isPresent(), Table.SEGMENTS, Keys.text(key), "leads to no segment");
    end = segment.map(Segment::last).orElse(end);
    return findings.more();
  }
}
