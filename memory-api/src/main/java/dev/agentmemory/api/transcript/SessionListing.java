package dev.agentmemory.api.transcript;

import dev.agentmemory.types.SessionId;

/// Which list of sessions is asked for.
public sealed interface SessionListing {

  /// All, by id.
  record ById() implements SessionListing {}

  /// All, the one with the latest event first.
  record Latest() implements SessionListing {}

  /// Those that a session has started, by id.
  record StartedBy(SessionId parent) implements SessionListing {}
}
