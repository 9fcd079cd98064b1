package dev.agentmemory.bench.result;

import java.util.Locale;
import java.util.Objects;

/// A figure and its threshold.
///
/// @param unit of the value; `ratio` for a quotient of two measurements
public record Check(String name, double value, String unit, Direction direction, double bar) {

  /// The side of the threshold on which the value must be; the threshold itself is accepted.
  enum Direction {
    AT_LEAST,
    AT_MOST
  }

  public Check {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(direction, "direction");
  }

  public static Check atLeast(double bar, String name, double value, String unit) {
    return new Check(name, value, unit, Direction.AT_LEAST, bar);
  }

  public static Check atMost(double bar, String name, double value, String unit) {
    return new Check(name, value, unit, Direction.AT_MOST, bar);
  }

  /// A value that is not a number does not meet the threshold.
  public boolean holds() {
    return switch (direction) {
      case AT_LEAST -> value >= bar;
      case AT_MOST -> value <= bar;
    };
  }

  @Override
  public String toString() {
    String side =
        switch (direction) {
          case AT_LEAST -> ">=";
          case AT_MOST -> "<=";
        };
    return String.format(
        Locale.ROOT,
        "%s: %s %s (bar %s %s) %s",
        name,
        Report.number(value),
        unit,
        side,
        Report.number(bar),
        holds() ? "holds" : "DOES NOT HOLD");
  }
}
