package dev.agentmemory.agents.internal;

import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Map;

/// Where a turn happened.
///
/// @param agent the id of the agent
/// @param position its place in its source, 0 when there is none
/// @param metadata of all events of it
public record TurnContext(
    String agent, SessionId session, Instant time, long position, Map<String, String> metadata) {

  public TurnContext {
    metadata = Map.copyOf(metadata);
  }

  public TurnContext at(SessionId other) {
    return new TurnContext(agent, other, time, position, metadata);
  }

  public TurnContext at(long otherPosition) {
    return new TurnContext(agent, session, time, otherPosition, metadata);
  }

  public TurnContext at(Instant otherTime) {
    return new TurnContext(agent, session, otherTime, position, metadata);
  }
}
