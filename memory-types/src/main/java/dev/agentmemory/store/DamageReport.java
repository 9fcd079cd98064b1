package dev.agentmemory.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a store could not read since it was opened.
///
/// @param count how many different ranges; stops at 10,000
/// @param ranges the first of them, at most [#MOST_RANGES], in the order in which they were met
/// @param since when the first was met; empty when there is none
public record DamageReport(long count, List<DamagedRange> ranges, Optional<Instant> since) {

  /// At most that many ranges are remembered.
  public static final int MOST_RANGES = 100;

  /// All that was asked for could be read.
  public static final DamageReport NONE = new DamageReport(0, List.of(), Optional.empty());

  public DamageReport {
    ranges = List.copyOf(ranges);
  }

  /// The range that was met first.
  public Optional<DamagedRange> first() {
    return ranges.stream().findFirst();
  }
}
