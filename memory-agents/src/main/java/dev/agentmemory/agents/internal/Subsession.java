package dev.agentmemory.agents.internal;

import dev.agentmemory.types.SessionId;
import java.util.Optional;

/// Ids of sessions.
public final class Subsession {

  private Subsession() {}

  /// The session of an id that an agent gives; empty when it cannot be one.
  public static Optional<SessionId> session(String id) {
    try {
      return id.isBlank() || id.startsWith("@") ? Optional.empty() : Optional.of(new SessionId(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// The session of a subagent, or the parent when there is none.
  ///
  /// @param agent the id of the subagent within its parent; "" for the parent itself
  public static SessionId of(SessionId parent, String agent) {
    return agent.isEmpty() ? parent : session(parent.value() + ":" + agent).orElse(parent);
  }
}
