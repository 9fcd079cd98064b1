package dev.agentmemory.api.recall;

/// What a memory states. The kind decides how its relevance decays.
public enum MemoryKind {
  /// Anything else. Decays by its scope.
  OBSERVATION,
  /// Something that was said. Decays with a half-life of 168 hours by default.
  CONVERSATION,
  /// What was settled. Half-life 720 hours by default.
  DECISION,
  /// A fact that was found out. Half-life 336 hours by default.
  FINDING,
  /// A lasting wish of a person. Does not decay.
  PREFERENCE
}
