package dev.agentmemory.toc.summary;

import dev.agentmemory.types.Event;
import java.util.List;

/// What a summariser gets to read.
///
/// @param events the segment's events in time order, tool results already cut
/// @param overlap what was said right before; context only, never to be quoted
public record SegmentText(List<Event> events, List<Event> overlap) {

  public SegmentText {
    events = List.copyOf(events);
    overlap = List.copyOf(overlap);
  }
}
