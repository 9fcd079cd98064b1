package dev.agentmemory.bench.result;

import java.util.ArrayList;
import java.util.List;

/// The values of a measurement, one for each repetition.
public record Measured(List<Double> values) {

  public Measured {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  /// The values of all measurements in one.
  public static Measured all(List<Measured> parts) {
    return new Measured(parts.stream().flatMap(part -> part.values.stream()).toList());
  }

  /// The median; for an even number of values the mean of the two in the middle.
  public double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  /// A percentile: the smallest value that is not exceeded by this share of the values.
  ///
  /// @param share above 0, up to 1; 0.99 for the 99th percentile
  public double percentile(double share) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  double min() {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  double max() {
    return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /// The quotients, repetition by repetition. A temporary disturbance of the machine affects both
  /// sides of a repetition, so the quotient hardly changes.
  ///
  /// @throws IllegalArgumentException when the other side has another number of repetitions
  public Measured over(Measured other) {
    if (values.size() != other.values.size()) {
      throw new IllegalArgumentException(
          values.size() + " repetitions against " + other.values.size());
    }
    var ratios = new ArrayList<Double>(values.size());
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i) / other.values.get(i));
    }
    return new Measured(ratios);
  }

  /// The sums, repetition by repetition.
  public Measured plus(Measured other) {
    var sums = new ArrayList<Double>(values.size());
    for (int i = 0; i < values.size(); i++) {
      sums.add(values.get(i) + other.values.get(i));
    }
    return new Measured(sums);
  }
}
