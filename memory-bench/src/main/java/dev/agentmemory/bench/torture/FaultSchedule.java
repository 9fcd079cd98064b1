package dev.agentmemory.bench.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The steps of a seed. They do not depend on the machine: a step that it cannot do is counted as
/// not run.
///
/// @param steps in order
record FaultSchedule(long seed, List<FaultKind> steps) {

  static final int LEAST_STEPS = 2;
  static final int MOST_STEPS = 5;

  FaultSchedule {
    steps = List.copyOf(steps);
  }

  static FaultSchedule of(long seed) {
    var random = new SplittableRandom(seed);
    FaultKind[] kinds = FaultKind.values();
    var steps = new ArrayList<FaultKind>();
    int count = random.nextInt(LEAST_STEPS, MOST_STEPS + 1);
    for (int step = 0; step < count; step++) {
      steps.add(kinds[random.nextInt(kinds.length)]);
    }
    return new FaultSchedule(seed, steps);
  }

  @Override
  public String toString() {
    return "seed=%d steps=%s".formatted(seed, steps);
  }
}
