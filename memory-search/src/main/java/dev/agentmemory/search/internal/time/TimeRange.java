package dev.agentmemory.search.internal.time;

import java.time.Instant;

/// What some words mean as a time.
///
/// @param from included
/// @param until not included
/// @param kind how the words fix it
record TimeRange(Instant from, Instant until, Kind kind) {

  /// How words fix a time.
  enum Kind {
    /// By a day with its year.
    DATE,
    /// By a year, or a part of one.
    YEARLY,
    /// By a month or a day in any year.
    YEARLESS,
    /// By a day in any week.
    WEEKDAY,
    /// By its distance from the current time of the query.
    RELATIVE
  }

  /// Whether it means the same whenever it is read.
  boolean absolute() {
    return switch (kind) {
      case DATE, YEARLY -> true;
      case YEARLESS, WEEKDAY, RELATIVE -> false;
    };
  }

  /// A range that was parsed.
  ///
  /// @param next the first word after it
  record Read(TimeRange range, int next) {}
}
