package dev.agentmemory.api.recall;

/// Where a memory applies. A search widens from the narrowest scope to the widest; the order of the
/// constants is that order.
public enum MemoryScope {
  /// One session.
  CONVERSATION,
  /// The sessions of one channel of a workspace.
  CHANNEL,
  /// One workspace.
  WORKSPACE,
  /// All workspaces of this daemon. Holds preferences and procedures only, never the content of a
  /// workspace.
  ACCOUNT
}
