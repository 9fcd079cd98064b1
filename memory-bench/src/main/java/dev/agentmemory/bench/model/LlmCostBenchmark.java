package dev.agentmemory.bench.model;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.provider.StubProvider;
import java.util.ArrayList;
import java.util.List;

/// Whether the number of tokens that a model reads per event grows with the history. The events
/// come week by week, and each week is summarised before the next one. So each week updates its
/// days, itself, its month and its year.
public final class LlmCostBenchmark implements Benchmark {

  private static final int FEW = 10;
  private static final int MANY = 100;
  private static final double BAR = 1.1;

  @Override
  public String name() {
    return "llm-cost";
  }

  @Override
  public String shows() {
    return "a model's input tokens per event after 100 weeks / after 10 weeks, with a stub provider";
  }

  @Override
  public Result run(Site site) {
    try (StubProvider provider = StubProvider.start()) {
      BenchDaemon daemon =
          site.daemon(
              "llm-cost",
              "summarizer.provider=openai",
              "summarizer.api_base_url=" + provider.openAi(),
              "summarizer.daily_token_budget=0");
      var tokens = new ArrayList<Double>();
      long events = 0;
      double few = 0;
      for (int week = 0; week < MANY; week++) {
        List<dev.agentmemory.types.Event> batch = Years.week(week);
        Sending.stream(daemon.client(), batch);
        events += batch.size();
        upgrade(daemon);
        tokens.add((double) provider.inputTokens() / events);
        few = week + 1 == FEW ? tokens.getLast() : few;
      }
      double many = tokens.getLast();
      return new Result(
          name(),
          List.of(Check.atMost(BAR, MANY + " weeks / " + FEW + " weeks", many / few, "ratio")),
          List.of(
              Result.Row.of("input tokens per event, " + FEW + " weeks", "tokens", few),
              Result.Row.of("input tokens per event, " + MANY + " weeks", "tokens", many),
              Result.Row.of("events", "", (double) events),
              Result.Row.of("requests", "", (double) provider.calls())),
          List.of("after each week the model summarises all closed segments and ended periods"));
    }
  }

  /// Waits until no summary is pending.
  private static void upgrade(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    daemon.awaitToc();
    client.jobs().run("segment_flush");
    daemon.awaitToc();
    client.jobs().run("llm_summaries");
    daemon.awaitToc();
  }
}
