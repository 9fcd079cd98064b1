package dev.agentmemory.client;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import java.util.List;
import java.util.Objects;

/// A grip with its events and what was said around them in the same session.
public record ExpandedGrip(Grip grip, List<Event> before, List<Event> excerpt, List<Event> after) {

  public ExpandedGrip {
    Objects.requireNonNull(grip, "grip");
    before = List.copyOf(before);
    excerpt = List.copyOf(excerpt);
    after = List.copyOf(after);
  }
}
