package dev.agentmemory.bench;

import java.util.List;

/// Whether new events cost the same however many there are already.
final class FlatBenchmark implements Benchmark {

  private static final double BAR = 1.3;

  @Override
  public String name() {
    return "flat";
  }

  @Override
  public String shows() {
    return "a batch into a store of 1,000,000 events, against one of 10,000";
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
                + " events, turn by turn; the clock runs from the first send to a rolled-up table"
                + " of contents, so it holds the half second that rolling up waits for more"));
  }
}
