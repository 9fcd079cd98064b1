package dev.agentmemory.search.embed;

import java.util.Optional;

/// Makes vectors comparable by their direction alone.
final class UnitVectors {

  private UnitVectors() {}

  /// The vector of length 1 in the same direction; empty when it has none, because it is zero or
  /// not all of it is finite.
  static Optional<float[]> unit(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    double length = Math.sqrt(squares);
    if (!(length > 0) || Double.isInfinite(length)) {
      return Optional.empty();
    }
    float[] unit = new float[vector.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (vector[i] / length);
    }
    return Optional.of(unit);
  }
}
