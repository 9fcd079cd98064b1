package dev.agentmemory.types;

/// Why a segment ends where it ends.
public enum Boundary {
  /// Nothing has ended it yet; the next event may still join.
  OPEN,
  /// The session was silent for the time threshold.
  GAP,
  /// It has reached the size of a segment.
  TOKENS,
  /// The session ended.
  SESSION_END
}
