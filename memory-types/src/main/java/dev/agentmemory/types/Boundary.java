package dev.agentmemory.types;

/// Why a segment ends where it ends.
public enum Boundary {
  /// Nothing has ended it yet; the next event may still join.
  OPEN,
  /// The session was silent for the time threshold.
  GAP,
  /// The next event would have passed the token threshold.
  TOKENS,
  /// The session ended.
  SESSION_END
}
