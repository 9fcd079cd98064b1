package dev.agentmemory.toc;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import java.util.List;

/// A grip with the events that it rests on and those around them.
public record GripContext(Grip grip, List<Event> before, List<Event> excerpt, List<Event> after) {}
