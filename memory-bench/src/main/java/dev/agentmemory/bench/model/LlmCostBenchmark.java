package dev.agentmemory.bench.model;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Whether the number of tokens that a model reads per event grows with the history, and how many
/// it reads for the sessions of a coding agent, most of whose text tools put out.
///
/// The events of the history come week by week, and each week is summarised before the next one. So
/// each week updates its days, itself, its month and its year.
public final class LlmCostBenchmark implements Benchmark {

  private static final int FEW = 10;
  private static final int MANY = 100;
  private static final double BAR_GROWTH = 1.1;

  /// What the sessions cost before tool output was left out, in input tokens per event.
  private static final double FORMER_CODING = 150;

  private static final double BAR_CODING = 0.5;

  @Override
  public String name() {
    return "llm-cost";
  }

  @Override
  public String shows() {
    return "a model's input tokens per event after 100 weeks / after 10 weeks, and for coding"
        + " sessions, with a stub provider";
  }

  /// What a model read.
  ///
  /// @param tokens input tokens per event, after each batch of events
  private record Cost(List<Double> tokens, long events, long requests) {

    double total() {
      return tokens.getLast();
    }

    List<Result.Row> rows(String what) {
      return List.of(
          Result.Row.of("input tokens per event, " + what, "tokens", total()),
          Result.Row.of("events, " + what, "", (double) events),
          Result.Row.of("requests, " + what, "", (double) requests));
    }
  }

  @Override
  public Result run(Site site) throws IOException {
    // Without the data set it fails now and not after the history.
    List<Event> sessions = EventFiles.dialogues(site.coding());
    Cost history = cost(site, "history", IntStream.range(0, MANY).mapToObj(Years::week));
    Cost coding = cost(site, "coding", Stream.of(sessions));
    double few = history.tokens().get(FEW - 1);
    List<Result.Row> rows = new ArrayList<>();
    rows.add(Result.Row.of("input tokens per event, " + FEW + " weeks", "tokens", few));
    rows.addAll(history.rows(MANY + " weeks"));
    rows.addAll(coding.rows("coding sessions"));
    return new Result(
        name(),
        List.of(
            Check.atMost(
                BAR_GROWTH, MANY + " weeks / " + FEW + " weeks", history.total() / few, "ratio"),
            Check.atMost(
                BAR_CODING,
                "coding sessions, input tokens per event / %.0f".formatted(FORMER_CODING),
                coding.total() / FORMER_CODING,
                "ratio")),
        rows,
        List.of("after each week the model summarises all closed segments and ended periods"));
  }

  private static Cost cost(Site site, String name, Stream<List<Event>> batches) {
    try (StubProvider provider = StubProvider.start();
        BenchDaemon daemon =
            site.daemon(
                "llm-cost-" + name,
                Site.WITHOUT_EMBEDDINGS,
                "summarizer.provider=openai",
                "summarizer.api_base_url=" + provider.openAi(),
                "summarizer.daily_token_budget=0")) {
      var tokens = new ArrayList<Double>();
      var events = new AtomicLong();
      batches.forEachOrdered(batch -> {
        Sending.stream(daemon.client(), batch);
        upgrade(daemon);
        tokens.add((double) provider.inputTokens() / events.addAndGet(batch.size()));
      });
      site.progress(name);
      return new Cost(tokens, events.get(), provider.calls());
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
