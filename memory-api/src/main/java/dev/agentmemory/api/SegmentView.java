package dev.agentmemory.api;

import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Objects;

/// A segment with its events.
public record SegmentView(SegmentOutline outline, List<Event> events, List<Event> overlap) {

  public SegmentView {
    Objects.requireNonNull(outline, "outline");
    events = List.copyOf(events);
    overlap = List.copyOf(overlap);
  }
}
