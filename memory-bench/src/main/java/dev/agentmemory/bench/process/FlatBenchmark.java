package dev.agentmemory.bench.process;

import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.util.List;

/// Whether the cost of new events is independent of the number of stored ones.
public final class FlatBenchmark implements Benchmark {

  private static final double BAR = 1.3;

  @Override
  public String name() {
    return "flat";
  }

  @Override
  public String shows() {
    return "time of a batch in a store of 1,000,000 events, compared with one of 10,000";
  }

  @Override
  public Result run(Site site) {
    FlatRun run = FlatRun.in(site, List.of(), Site.WITHOUT_EMBEDDINGS);
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "large / small, of the medians", run.ratio(), "ratio")),
        run.rows(),
        List.of(
            FlatRun.BATCHES
                + " batches of "
                + FlatRun.IN_BATCH
                + " events, alternating; measured from the first send to a rolled-up table"
                + " of contents, including the half second for which a rollup waits for more"));
  }
}
