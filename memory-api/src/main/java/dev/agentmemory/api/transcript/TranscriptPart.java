package dev.agentmemory.api.transcript;

import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import java.util.List;
import java.util.Optional;

/// A part of a session.
///
/// @param events in time order
/// @param firstIndex number of the first of them within the session, from 0. Older events that
///   arrive late increase it; the id of an event stays
/// @param eventCount how many events the session has
/// @param previous token of the events before; empty at the beginning of the session
/// @param next token of the events behind; empty at its end
/// @param segments those that have one of the events, in time order; fewer while the table of
///   contents has not come that far
public record TranscriptPart(
    List<Event> events,
    long firstIndex,
    long eventCount,
    Optional<String> previous,
    Optional<String> next,
    List<SegmentMark> segments) {

  public TranscriptPart {
    events = List.copyOf(events);
    segments = List.copyOf(segments);
  }

  /// Where a segment is.
  ///
  /// @param title of its node; empty while that has none
  /// @param first its first event, which may be before the part
  /// @param last its last event, which may be behind the part
  /// @param tokens of its own events
  public record SegmentMark(
      SegmentId id,
      NodeId node,
      Optional<String> title,
      EventId first,
      EventId last,
      Boundary boundary,
      int tokens) {}
}
