package dev.agentmemory.types;

/// Why a segment ends where it ends.
public enum Boundary {
  /// Nothing has ended it yet; the next event may still join.
  OPEN,
  /// The session was silent for the time threshold. What a tool returns within eight times as long,
  /// and the end of the session, still belong to the segment before.
  GAP,
  /// It has reached the size of a segment.
  TOKENS,
  /// The session ended.
  SESSION_END
}
