package dev.agentmemory.api.contents;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import java.util.List;
import java.util.Objects;

/// A grip with the events that it rests on and what was said around them in the same session.
///
/// @param excerpt from the grip's first to its last event
public record GripContext(Grip grip, List<Event> before, List<Event> excerpt, List<Event> after) {

  public GripContext {
    Objects.requireNonNull(grip, "grip");
    before = List.copyOf(before);
    excerpt = List.copyOf(excerpt);
    after = List.copyOf(after);
  }
}
