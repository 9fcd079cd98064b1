package dev.agentmemory.bench;

import java.util.List;
import java.util.Objects;

/// Result of a benchmark.
///
/// @param checks the first one is the main figure; never empty
/// @param rows the measurements, for the table
/// @param notes how it was measured, and other information for readers of the figures
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

  /// A row of the table.
  ///
  /// @param measured one value for each repetition
  record Row(String label, String unit, Measured measured) {

    Row {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(measured, "measured");
    }

    /// A count, which is the same in every repetition.
    static Row of(String label, String unit, double value) {
      return new Row(label, unit, new Measured(List.of(value)));
    }
  }

  /// Whether all thresholds are met.
  boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }
}
