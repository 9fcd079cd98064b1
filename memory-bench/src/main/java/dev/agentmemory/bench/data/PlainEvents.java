package dev.agentmemory.bench.data;

import dev.agentmemory.client.EventIds;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Events without metadata and agent, with the ids that follow from what they say.
public final class PlainEvents {

  private PlainEvents() {}

  public static Event of(
      SessionId session, Instant time, EventType type, EventRole role, String text) {
    return new Event(
        EventIds.derive(session, time, type, role, text, Map.of(), Optional.empty()),
        session,
        time,
        type,
        role,
        text,
        Map.of(),
        Optional.empty());
  }
}
