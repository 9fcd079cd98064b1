package dev.agentmemory.api.injection;

/// When in a session it was told something.
public enum InjectionMoment {
  SESSION_START,
  /// The session went on after a compaction.
  RESTART,
  /// With a prompt.
  PROMPT,
  OTHER
}
