package dev.agentmemory.api;

import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.util.List;

/// A segment without its events.
///
/// @param span from its first to its last event
/// @param tokens of its own events, overlap not counted
/// @param events in time order
/// @param overlap trailing events of the segment before
public record SegmentOutline(
    SegmentId id,
    SessionId session,
    NodeId node,
    Span span,
    int tokens,
    Boundary boundary,
    List<EventId> events,
    List<EventId> overlap) {

  public SegmentOutline {
    events = List.copyOf(events);
    overlap = List.copyOf(overlap);
  }

  /// The outline of a segment.
  public static SegmentOutline of(Segment segment) {
    return new SegmentOutline(
        segment.id(),
        segment.session(),
        segment.node(),
        new Span(segment.start(), segment.end()),
        segment.tokens(),
        segment.boundary(),
        segment.entries().stream().map(entry -> entry.key().id()).toList(),
        segment.overlap().stream().map(EventKey::id).toList());
  }
}
