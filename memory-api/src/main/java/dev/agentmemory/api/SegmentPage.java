package dev.agentmemory.api;

import dev.agentmemory.types.Event;
import java.util.List;

/// A segment with a part of its events.
///
/// @param overlap events of the segment before that come with it, in the order of their time
/// @param events its own, in the order of their time
/// @param token asks for the next part; empty on the last one
public record SegmentPage(
    SegmentOutline outline, List<Event> overlap, List<Event> events, String token) {

  public SegmentPage {
    overlap = List.copyOf(overlap);
    events = List.copyOf(events);
  }
}
