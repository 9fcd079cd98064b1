package dev.agentmemory.bench.process;

import dev.agentmemory.bench.daemon.AnonymousMemory;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import java.util.ArrayList;
import java.util.List;

/// Batches of events into a small and a large store, alternating.
///
/// @param small seconds per batch
/// @param large seconds per batch
/// @param build seconds for filling the large store
/// @param peakMiB highest anonymous memory of either daemon
record FlatRun(Measured small, Measured large, double build, double peakMiB) {

  static final int SMALL = 10_000;
  static final int LARGE = 1_000_000;
  static final int BATCHES = 30;
  static final int IN_BATCH = 1_000;
  private static final int WARM_UP = 3;

  /// @param javaOptions of both daemons, like the settings
  static FlatRun in(Site site, List<String> javaOptions, String... settings) {
    var smallSeconds = new ArrayList<Double>();
    var largeSeconds = new ArrayList<Double>();
    BenchDaemon small = site.daemon("small", javaOptions, settings);
    BenchDaemon large = site.daemon("large", javaOptions, settings);
    try (var ofSmall = AnonymousMemory.watch(small.pid());
        var ofLarge = AnonymousMemory.watch(large.pid())) {
      Clock clock = Clock.start();
      Years.fill(large, LARGE);
      double build = clock.seconds();
      Years.fill(small, SMALL);
      for (int batch = -WARM_UP; batch < BATCHES; batch++) {
        var events = Years.batch(batch + WARM_UP, IN_BATCH);
        double inSmall = Years.ingest(small, events);
        double inLarge = Years.ingest(large, events);
        if (batch >= 0) {
          smallSeconds.add(inSmall);
          largeSeconds.add(inLarge);
        }
      }
      return new FlatRun(
          new Measured(smallSeconds),
          new Measured(largeSeconds),
          build,
          Math.max(ofSmall.peakMiB(), ofLarge.peakMiB()));
    }
  }

  List<Result.Row> rows() {
    return List.of(
        new Result.Row("a batch into " + SMALL, "s", small),
        new Result.Row("a batch into " + LARGE, "s", large),
        Result.Row.of("filling the large store", "s", build),
        Result.Row.of("peak anonymous memory", "MiB", peakMiB));
  }

  double ratio() {
    return large.median() / small.median();
  }
}
