package dev.agentmemory.recall.conversation;

import dev.agentmemory.types.SessionId;

/// The quota of bytes that memories and scratchpad of a session share.
public interface SessionQuota {

  /// Called before the write with nothing locked. It may delete memories of the session to make
  /// space; the addition is checked afterwards.
  ///
  /// @param addedBytes above 0
  void beforeWrite(SessionId session, long addedBytes);

  /// Checks that a session may grow. Called under the workspace's mutex, so it must not write.
  ///
  /// @param addedBytes above 0
  /// @throws dev.agentmemory.types.MemoryException `QUOTA_EXCEEDED` with the figures
  void check(SessionId session, long addedBytes);

  /// The quota in bytes.
  long limitBytes();
}
