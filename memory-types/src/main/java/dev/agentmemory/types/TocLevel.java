package dev.agentmemory.types;

import java.util.List;
import java.util.Optional;

/// The levels of the table of contents, from the root down.
public enum TocLevel {
  YEAR,
  MONTH,
  WEEK,
  DAY,
  SEGMENT;

  /// The levels that stand for a period, from the bottom up: each is rolled up from the one below.
  public static final List<TocLevel> PERIODS = List.of(DAY, WEEK, MONTH, YEAR);

  /// The level above, absent for years.
  public Optional<TocLevel> parent() {
    return switch (this) {
      case YEAR -> Optional.empty();
      case MONTH -> Optional.of(YEAR);
      case WEEK -> Optional.of(MONTH);
      case DAY -> Optional.of(WEEK);
      case SEGMENT -> Optional.of(DAY);
    };
  }

  /// The level below, absent for segments.
  public Optional<TocLevel> child() {
    return switch (this) {
      case YEAR -> Optional.of(MONTH);
      case MONTH -> Optional.of(WEEK);
      case WEEK -> Optional.of(DAY);
      case DAY -> Optional.of(SEGMENT);
      case SEGMENT -> Optional.empty();
    };
  }
}
