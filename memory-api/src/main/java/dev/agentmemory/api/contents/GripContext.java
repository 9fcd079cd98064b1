package dev.agentmemory.api.contents;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import java.util.List;

/// A grip with the events that it cites, and the events around them in the same session.
///
/// @param excerpt from the grip's first to its last event
public record GripContext(Grip grip, List<Event> before, List<Event> excerpt, List<Event> after) {

  public GripContext {
    before = List.copyOf(before);
    excerpt = List.copyOf(excerpt);
    after = List.copyOf(after);
  }
}
