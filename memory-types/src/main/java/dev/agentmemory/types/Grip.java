package dev.agentmemory.types;

import java.time.Instant;

/// Evidence: an excerpt that occurs verbatim in the events from `first` to `last` of one session.
///
/// @param timestamp that of the first event
/// @param source the process that made it, such as `segment_summarizer`
/// @param node the node for which it was made
public record Grip(
    GripId id,
    String excerpt,
    EventId first,
    EventId last,
    Instant timestamp,
    String source,
    NodeId node) {

  public Grip {
    if (excerpt.isEmpty()) {
      throw new IllegalArgumentException("excerpt is empty");
    }
  }

  /// The grip without a workspace's name.
  public Grip plain() {
    return new Grip(
        id.plain(), excerpt, first.plain(), last.plain(), timestamp, source, node.plain());
  }
}
