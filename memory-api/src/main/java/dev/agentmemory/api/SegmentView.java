package dev.agentmemory.api;

import dev.agentmemory.types.Event;
import java.util.List;

/// A segment with its events.
public record SegmentView(SegmentOutline outline, List<Event> events, List<Event> overlap) {

  public SegmentView {
    events = List.copyOf(events);
    overlap = List.copyOf(overlap);
  }
}
