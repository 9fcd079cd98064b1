package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.result.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The times of one kind of act, and those of the same calls by gRPC.
final class ActTimes {

  private static final double SLOW = 0.95;
  private static final double MOST_MILLIS = 50;

  private final String name;
  private final List<TimedAct> acts = new ArrayList<>();
  private final List<Double> calls = new ArrayList<>();

  ActTimes(String name) {
    this.name = name;
  }

  /// Does an act, and makes the call that it makes over gRPC: in turns before and after it, because
  /// the second of both finds in memory what the first has read.
  void measure(Supplier<TimedAct> act, Supplier<?> call) {
    boolean callFirst = acts.size() % 4 >= 2;
    if (callFirst) {
      time(call);
    }
    acts.add(act.get());
    if (!callFirst) {
      time(call);
    }
  }

  private void time(Supplier<?> call) {
    long start = System.nanoTime();
    var _ = call.get();
    calls.add((System.nanoTime() - start) / 1e6);
  }

  void figure(ConsoleFigures figures) {
    var act = new Measured(acts.stream().map(TimedAct::painted).toList());
    var next = new Measured(acts.stream().map(TimedAct::nextFrame).toList());
    var call = new Measured(calls);
    figures.atMost(
        MOST_MILLIS,
        "act: " + name + ", p95 above that of the call",
        act.percentile(SLOW) - call.percentile(SLOW),
        "ms");
    figures.row(name, "ms", act);
    figures.row(name + ", p95", "ms", act.percentile(SLOW));
    figures.row(name + ", until the next frame, p95", "ms", next.percentile(SLOW));
    figures.row(name + ", the call by gRPC", "ms", call);
    figures.row(name + ", the call by gRPC, p95", "ms", call.percentile(SLOW));
  }
}
