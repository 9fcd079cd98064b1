package dev.agentmemory.api.injection;

/// What a session was told.
public enum InjectionSource {
  /// What an agent has to know when it begins.
  ORIENTATION,
  /// Evidence for a prompt.
  EVIDENCE,
  OTHER
}
