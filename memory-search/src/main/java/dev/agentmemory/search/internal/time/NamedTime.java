package dev.agentmemory.search.internal.time;

import dev.agentmemory.types.Span;
import java.time.Instant;

/// A time that a text names, such as "last week".
///
/// @param from included
/// @param until not included, later than `from`
/// @param start where the words begin in the text, in UTF-16 units
/// @param end where they end, not included
/// @param absolute whether the words name a year, so they mean the same whenever they are read
/// @param hard whether the words bound what is asked for (since, before, between, on 5 May 2023)
///   rather than hint at it (last week)
public record NamedTime(
    Instant from, Instant until, int start, int end, boolean absolute, boolean hard) {

  public NamedTime {
    if (!from.isBefore(until)) {
      throw new IllegalArgumentException("until " + until + " not after from " + from);
    }
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException("no words between " + start + " and " + end);
    }
  }

  /// The same with both ends included.
  Span span() {
    return new Span(from, until.minusMillis(1));
  }
}
