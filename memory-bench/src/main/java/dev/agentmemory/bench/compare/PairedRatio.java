package dev.agentmemory.bench.compare;

import dev.agentmemory.bench.result.Measured;
import java.util.List;

/// Quotients of costs that were measured in pairs: the former package's over today's, so above 1
/// today's is the cheaper one.
///
/// @param ratios one for each pair, all above 0
record PairedRatio(List<Double> ratios) {

  /// Student's t for a two-sided interval of 95 %, by degrees of freedom from 1 on.
  private static final double[] T95 = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  PairedRatio {
    ratios = List.copyOf(ratios);
    if (ratios.isEmpty()) {
      throw new IllegalArgumentException("no pair was measured");
    }
    if (ratios.stream().anyMatch(ratio -> !(ratio > 0) || ratio.isInfinite())) {
      throw new IllegalArgumentException("a cost of a pair is not above 0: " + ratios);
    }
  }

  /// @param former costs of the former package, pair by pair
  /// @param now costs of today's, in the same order
  static PairedRatio of(List<Double> former, List<Double> now) {
    return new PairedRatio(new Measured(former).over(new Measured(now)).values());
  }

  Measured measured() {
    return new Measured(ratios);
  }

  double median() {
    return measured().median();
  }

  /// The lower end of the interval that holds the mean ratio (the geometric mean) with 95 %
  /// probability, by Student's t over the logarithms of the ratios.
  ///
  /// @return not a number for a single pair, which meets no bar
  double lowerEnd() {
    return Math.exp(meanLog() - error());
  }

  /// The upper end of the same interval.
  double upperEnd() {
    return Math.exp(meanLog() + error());
  }

  private double meanLog() {
    return ratios.stream().mapToDouble(Math::log).sum() / ratios.size();
  }

  /// Half the width of the interval of the logarithms.
  private double error() {
    int pairs = ratios.size();
    if (pairs < 2) {
      return Double.NaN;
    }
    double mean = meanLog();
    double squares =
        ratios.stream().mapToDouble(Math::log).map(log -> (log - mean) * (log - mean)).sum();
    return T95[Math.min(pairs - 1, T95.length) - 1] * Math.sqrt(squares / (pairs - 1) / pairs);
  }
}
