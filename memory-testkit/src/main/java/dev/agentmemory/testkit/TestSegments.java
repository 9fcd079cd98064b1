package dev.agentmemory.testkit;

import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/// Small segments, in UTC.
public final class TestSegments {

  private TestSegments() {}

  /// A segment of these events, ten tokens each.
  public static Segment segment(Boundary boundary, List<Event> events) {
    Event first = events.getFirst();
    LocalDate day = LocalDate.ofInstant(first.timestamp(), ZoneOffset.UTC);
    return new Segment(
        new SegmentId(first.id()),
        first.session(),
        NodeId.segment(day, first.id()),
        events.stream()
            .map(e ->
                new SegmentEntry(
                    e.key(),
                    10,
                    e.type() == EventType.SESSION_END
                        ? SegmentEntry.Kind.END
                        : SegmentEntry.Kind.PERSON))
            .toList(),
        List.of(),
        boundary);
  }
}
