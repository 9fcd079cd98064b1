package dev.agentmemory.recall;

import dev.agentmemory.types.SessionId;

/// Makes space in sessions before they reach their quota.
public interface SessionCompaction {

  /// Makes no space.
  SessionCompaction NONE = (_, _, _) -> {};

  /// Called before memories are added to a session, with nothing locked. It may delete memories of
  /// the session; the addition is checked against the quota afterwards.
  ///
  /// @param memoryBytes what the memories of the session take now
  /// @param added what they are about to take in addition
  void beforeWrite(SessionId session, long memoryBytes, long added);
}
