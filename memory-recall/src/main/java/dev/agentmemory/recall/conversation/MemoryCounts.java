package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Counts the memories that come from a session.
public interface MemoryCounts {

  /// @return zeros for a session without memories
  OfSession of(SessionId session);

  /// @param byKind kinds without memories are absent
  /// @param bytes what they take of the session's quota
  /// @param lastAccess when one of them was last read; empty if never
  record OfSession(Map<MemoryKind, Long> byKind, long bytes, Optional<Instant> lastAccess) {

    public OfSession {
      byKind = Map.copyOf(byKind);
    }
  }
}
