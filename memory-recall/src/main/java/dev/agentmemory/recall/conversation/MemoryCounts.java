package dev.agentmemory.recall.conversation;

import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.types.SessionId;

/// Counts the memories that come from a session.
public interface MemoryCounts {

  /// @return [SessionUsage#NONE] for a session without memories
  SessionUsage of(SessionId session);
}
