package dev.agentmemory.recall.truth;

/// What a newer statement is to an older one.
public enum StatementRelation {
  /// The newer one says something else about the same thing: the older one no longer holds.
  SUPERSEDES,
  /// Both say the same.
  SAME,
  /// Both hold.
  COEXISTS
}
