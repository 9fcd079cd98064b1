package dev.agentmemory.bench;

import java.util.List;
import java.util.Objects;

/// What a benchmark has found.
///
/// @param checks the first one is the benchmark's main figure; never empty
/// @param rows what was measured, for the table
/// @param notes how it was measured, and what a reader of the figures should know
record Result(String name, List<Check> checks, List<Row> rows, List<String> notes) {

  Result {
    Objects.requireNonNull(name, "name");
    checks = List.copyOf(checks);
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
    if (checks.isEmpty()) {
      throw new IllegalArgumentException("no check in " + name);
    }
  }

  /// A line of the table.
  ///
  /// @param measured one value for each repetition
  record Row(String label, String unit, Measured measured) {

    Row {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(measured, "measured");
    }

    /// A count that no repetition can change.
    static Row of(String label, String unit, double value) {
      return new Row(label, unit, new Measured(List.of(value)));
    }
  }

  /// Whether all bars hold.
  boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }
}
