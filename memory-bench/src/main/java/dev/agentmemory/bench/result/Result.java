package dev.agentmemory.bench.result;

import java.util.List;
import java.util.Objects;

/// Result of a benchmark.
///
/// @param checks the first one is the main figure; never empty
/// @param rows the measurements, for the table
/// @param notes how it was measured, and other information for readers of the figures
public record Result(String name, List<Check> checks, List<Row> rows, List<String> notes) {

  public Result {
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
  public record Row(String label, String unit, Measured measured) {

    public Row {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(unit, "unit");
      Objects.requireNonNull(measured, "measured");
    }

    /// A count, which is the same in every repetition.
    public static Row of(String label, String unit, double value) {
      return new Row(label, unit, new Measured(List.of(value)));
    }
  }

  /// Whether all thresholds are met.
  public boolean holds() {
    return checks.stream().allMatch(Check::holds);
  }
}
