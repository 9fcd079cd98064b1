package dev.agentmemory.bench.model;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Whether a provider that never answers delays the daemon: a daemon with such a provider and one
/// without a provider, alternating.
public final class LlmOutageBenchmark implements Benchmark {

  private static final int ROUNDS = 10;
  private static final int WARM_UP = 2;
  private static final int BURST = 40_000;
  private static final int BATCH = 1_000;
  private static final double BAR = 0.85;

  @Override
  public String name() {
    return "llm-outage";
  }

  @Override
  public String shows() {
    return "ingest rate and freshness with a hanging provider / without a provider";
  }

  @Override
  public Result run(Site site) {
    try (StubProvider provider = StubProvider.start()) {
      provider.usually(new StubReply.Hang());
      BenchDaemon without = site.daemon("without", Site.WITHOUT_EMBEDDINGS);
      BenchDaemon hanging =
          site.daemon(
              "hanging",
              Site.WITHOUT_EMBEDDINGS,
              "summarizer.provider=openai",
              "summarizer.api_base_url=" + provider.openAi(),
              "summarizer.timeout=10m",
              "jobs.llm_summaries=* * * * *",
              "jobs.jitter=0s");
      awaitFirstCall(hanging, provider);
      var rates = new Pairs();
      var freshness = new Pairs();
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        List<Event> burst = WorkDay.events((round + WARM_UP) * BURST, BURST);
        List<Event> batch = Years.batch(round + WARM_UP + 1, BATCH);
        boolean counts = round >= 0;
        // The second side may run while the first one still compacts its files, so they alternate.
        boolean swapped = round % 2 == 0;
        rates.add(counts, swapped, hangs -> BURST / ingest(hangs ? hanging : without, burst));
        freshness.add(counts, swapped, hangs -> Years.ingest(hangs ? hanging : without, batch));
      }
      return result(rates, freshness, provider.calls());
    }
  }

  /// One value of each side per round.
  private static final class Pairs {
    private final List<Double> without = new ArrayList<>();
    private final List<Double> hanging = new ArrayList<>();

    /// @param side measures the side with the hanging provider, or the other one
    void add(boolean counts, boolean hangingFirst, Function<Boolean, Double> side) {
      double first = side.apply(hangingFirst);
      double second = side.apply(!hangingFirst);
      if (counts) {
        hanging.add(hangingFirst ? first : second);
        without.add(hangingFirst ? second : first);
      }
    }

    Measured without() {
      return new Measured(without);
    }

    Measured hanging() {
      return new Measured(hanging);
    }
  }

  private Result result(Pairs rates, Pairs freshness, long calls) {
    Measured rate = rates.hanging().over(rates.without());
    // Twice the time is half the freshness.
    Measured fresh = freshness.without().over(freshness.hanging());
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR, "ingest rate, hanging / without", rate.median(), "ratio"),
            Check.atLeast(BAR, "freshness, hanging / without", fresh.median(), "ratio")),
        List.of(
            new Result.Row("acknowledged, without a provider", "events/s", rates.without()),
            new Result.Row("acknowledged, provider hangs", "events/s", rates.hanging()),
            new Result.Row("ratio of the rates", "ratio", rate),
            new Result.Row("a batch until rolled up, without", "s", freshness.without()),
            new Result.Row("a batch until rolled up, provider hangs", "s", freshness.hanging()),
            new Result.Row("ratio of the freshness", "ratio", fresh),
            Result.Row.of("requests that hang", "", (double) calls)),
        List.of(
            BURST
                + " events per round for the rate, "
                + BATCH
                + " for the freshness,"
                + " measured from the first send to a rolled-up table of contents"));
  }

  /// Waits until all are acknowledged. The table of contents is updated before the next round.
  private static double ingest(BenchDaemon daemon, List<Event> events) {
    Clock clock = Clock.start();
    Sending.stream(daemon.client(), events);
    double seconds = clock.seconds();
    daemon.awaitToc();
    daemon.awaitIndexed();
    return seconds;
  }

  private static void awaitFirstCall(BenchDaemon daemon, StubProvider provider) {
    Sending.stream(daemon.client(), Years.batch(0, BATCH));
    daemon.awaitToc();
    daemon.client().jobs().run("segment_flush");
    daemon.awaitUntil("the first request to the provider", () -> provider.calls() > 0);
  }
}
