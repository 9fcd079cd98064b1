package dev.agentmemory.api.search;

/// What a hit is.
public enum HitKind {
  /// One event of the log.
  EVENT,
  /// A segment of a session, found by its summary.
  SEGMENT,
  /// A day, week, month or year of the table of contents, found by its summary.
  ROLLUP,
  /// A curated memory. Found only when it is asked for.
  MEMORY
}
