package dev.agentmemory.store;

import dev.agentmemory.types.Event;
import java.util.List;

/// Events of the first of some keys.
///
/// @param events those that exist, in the order of the keys
/// @param keys how many of the keys were looked at, those of absent events included
public record EventSlice(List<Event> events, int keys) {

  public EventSlice {
    events = List.copyOf(events);
    if (keys < events.size()) {
      throw new IllegalArgumentException(events.size() + " events of " + keys + " keys");
    }
  }
}
