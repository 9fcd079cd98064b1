package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import java.util.ArrayList;
import java.util.List;

/// How long a daemon takes from the start of its process until it serves.
public final class OpenBenchmark implements Comparison.Possible {

  private static final int ROUNDS = 9;
  private static final double BAR = 1.5;

  @Override
  public String name() {
    return "open";
  }

  @Override
  public String shows() {
    return "time from process start to serving with 1,000,000 events, compared with an empty store";
  }

  @Override
  public Comparison comparison() {
    return new OpenComparison();
  }

  @Override
  public Result run(Site site) {
    try (BenchDaemon daemon = site.daemon("large", Site.WITHOUT_EMBEDDINGS)) {
      Years.fill(daemon, FlatRun.LARGE);
    }
    try (BenchDaemon empty = site.daemon("empty", Site.WITHOUT_EMBEDDINGS)) {
      empty.client().ping();
    }
    var small = new ArrayList<Double>();
    var large = new ArrayList<Double>();
    for (int round = -1; round < ROUNDS; round++) {
      double withNone = start(site, "empty");
      double withMany = start(site, "large");
      if (round >= 0) {
        small.add(withNone);
        large.add(withMany);
      }
    }
    return result(new Measured(small), new Measured(large));
  }

  private static double start(Site site, String name) {
    Clock clock = Clock.start();
    try (BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS)) {
      double seconds = clock.seconds();
      daemon.awaitToc();
      return seconds;
    }
  }

  private Result result(Measured small, Measured large) {
    Measured ratio = large.over(small);
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "1,000,000 events / none", ratio.median(), "ratio")),
        List.of(
            new Result.Row("with no event", "s", small),
            new Result.Row("with 1,000,000 events", "s", large),
            new Result.Row("ratio", "ratio", ratio)),
        List.of(
            "from the start of the launcher until the health check returns SERVING, polled every "
                + BenchDaemon.START_POLL_MILLIS
                + " ms; stopped in order before, files in the page cache"));
  }
}
