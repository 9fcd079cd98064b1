package dev.agentmemory.bench.recall;

import java.util.List;

/// How many of the wanted results were found.
///
/// @param found wanted results that were found
/// @param wrong results that were not wanted
/// @param missed wanted results that were not found
record StatementTally(int found, int wrong, int missed) {

  static final StatementTally NONE = new StatementTally(0, 0, 0);

  static StatementTally sum(List<StatementTally> parts) {
    return parts.stream().reduce(NONE, StatementTally::plus);
  }

  StatementTally plus(StatementTally other) {
    return new StatementTally(found + other.found, wrong + other.wrong, missed + other.missed);
  }

  /// Share of the results that were wanted; 1 without results.
  double precision() {
    return found + wrong == 0 ? 1 : (double) found / (found + wrong);
  }

  /// Share of the wanted results that were found; 1 when none was wanted.
  double recall() {
    return found + missed == 0 ? 1 : (double) found / (found + missed);
  }
}
