package dev.agentmemory.store;

import java.util.Map;

/// How far a consumer or job has come.
///
/// @param name the consumer or job, unique in the store
/// @param cursor the last outbox sequence it has applied; 0 before the first
/// @param attributes small values of its own, such as `paused`
public record Checkpoint(String name, long cursor, Map<String, String> attributes) {

  public Checkpoint {
    attributes = Map.copyOf(attributes);
    if (cursor < 0) {
      throw new IllegalArgumentException("cursor is negative: " + cursor);
    }
  }

  public static Checkpoint at(String name, long cursor) {
    return new Checkpoint(name, cursor, Map.of());
  }
}
