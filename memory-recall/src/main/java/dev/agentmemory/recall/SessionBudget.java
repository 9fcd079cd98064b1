package dev.agentmemory.recall;

import dev.agentmemory.types.SessionId;

/// Limits how much the memories and the scratchpad of a session take together.
public interface SessionBudget {

  /// No limit.
  SessionBudget UNLIMITED = (_, _, _) -> {};

  /// Checks that memories may be added to a session. Called while memories are locked, so it must
  /// not write memories.
  ///
  /// @param memoryBytes what the memories of the session take now
  /// @param added what they would take in addition, 1 and up
  /// @throws dev.agentmemory.types.MemoryException `QUOTA_EXCEEDED` with bytes used, limit and
  ///   bytes added
  void check(SessionId session, long memoryBytes, long added);
}
