package dev.agentmemory.testkit;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;

/// Small grips.
public final class TestGrips {

  private TestGrips() {}

  /// A grip on the whole text of one event.
  public static Grip grip(NodeId node, Event event) {
    return grip(node, event, event, event.text());
  }

  /// A grip on an excerpt of a range.
  public static Grip grip(NodeId node, Event first, Event last, String excerpt) {
    long tail = Integer.toUnsignedLong((node + excerpt).hashCode());
    GripId id = GripId.of(first.timestamp(), TestEvents.id(first.timestamp(), tail));
    return new Grip(id, excerpt, first.id(), last.id(), first.timestamp(), "test", node);
  }
}
