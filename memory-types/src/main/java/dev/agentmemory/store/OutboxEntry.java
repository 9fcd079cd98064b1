package dev.agentmemory.store;

import dev.agentmemory.types.EventKey;

/// A change that consumers have to follow: an event was added.
///
/// @param sequence 1 and up, without gaps, never used twice even after trimming
/// @param event where to find the event
public record OutboxEntry(long sequence, EventKey event) {

  public OutboxEntry {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence below 1: " + sequence);
    }
  }
}
