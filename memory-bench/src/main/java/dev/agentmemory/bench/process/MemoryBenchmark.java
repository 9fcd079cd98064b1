package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import java.util.List;

/// Whether a daemon with a small heap keeps its memory small.
public final class MemoryBenchmark implements Comparison.Possible {

  private static final double BAR_MIB = 600;
  private static final double BAR_RATIO = 1.3;
  static final String HEAP = "-Xmx256m";

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String shows() {
    return "peak anonymous memory during the benchmark flat, in daemons with " + HEAP;
  }

  @Override
  public Comparison comparison() {
    return new MemoryComparison();
  }

  @Override
  public Result run(Site site) {
    FlatRun run = FlatRun.in(site, List.of(HEAP));
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_MIB, "peak anonymous memory", run.peakMiB(), "MiB"),
            Check.atMost(BAR_RATIO, "large / small, of the medians", run.ratio(), "ratio")),
        run.rows(),
        List.of("RssAnon of each daemon, sampled every 50 ms from its start to the last batch"));
  }
}
