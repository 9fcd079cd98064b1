package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.recall.MixedSearches.Query;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How fast a daemon finds memories among 10,000 of one workspace.
public final class MemoriesQueryBenchmark implements Benchmark {

  private static final int STORED = 10_000;
  private static final int ROUNDS = 5;
  private static final int WARM_UP_OF_EACH_SHAPE = 150;
  private static final int OF_EACH_SHAPE = 40;
  private static final double BAR_MILLIS = 20;
  private static final double MICROS_IN_MILLI = 1000;
  private static final long SEED = 11;

  @Override
  public String name() {
    return "memories-query";
  }

  @Override
  public String shows() {
    return "p95 of searches with mixed filters in " + STORED + " memories";
  }

  /// The searches of one daemon.
  ///
  /// @param rounds milliseconds of all searches of a round
  /// @param shapes milliseconds by what a search filters by
  /// @param found share of the searches that found any memory
  private record Searches(
      String side, List<Measured> rounds, Map<String, List<Double>> shapes, double found) {

    Measured all() {
      return Measured.all(rounds);
    }

    Check check() {
      return Check.atMost(BAR_MILLIS, "p95, " + side, CallTimes.p95(all()), "ms");
    }

    List<Result.Row> rows() {
      List<Result.Row> rows = new ArrayList<>();
      rows.add(new Result.Row("search, " + side, "ms", all()));
      rows.add(new Result.Row("p95 of a round, " + side, "ms", CallTimes.p95s(rounds)));
      rows.add(Result.Row.of("p99, " + side, "ms", all().percentile(0.99)));
      rows.add(Result.Row.of("share that found some, " + side, "", found));
      shapes.forEach((shape, millis) ->
          rows.add(
              Result.Row.of(
                  "p95, " + side + ": " + shape, "ms", CallTimes.p95(new Measured(millis)))));
      return rows;
    }
  }

  @Override
  public Result run(Site site) {
    var memories = new GeneratedMemories(Instant.now());
    var queries = new MixedSearches(memories, STORED, SEED);
    Searches words;
    try (BenchDaemon daemon = site.daemon("query", Site.WITHOUT_EMBEDDINGS)) {
      daemon.client().jobs().pause(MemoryJobs.CONSOLIDATION);
      memories.store(daemon.client(), 0, STORED);
      site.progress("stored");
      words = searches("words only", daemon, queries);
    }
    Searches hybrid;
    try (BenchDaemon daemon = site.daemon("query")) {
      MemoryJobs.awaitVectors(daemon);
      site.progress("embedded");
      hybrid = searches("words and vectors", daemon, queries);
    }
    List<Result.Row> rows = new ArrayList<>(hybrid.rows());
    rows.addAll(words.rows());
    return new Result(
        name(),
        List.of(hybrid.check(), words.check()),
        rows,
        List.of(
            "%d searches of each of 16 kinds per round, one at a time, none asked twice; a quarter for 50 results, the others for 10"
                .formatted(OF_EACH_SHAPE),
            "with vectors a time contains the embedding of the query"));
  }

  private static Searches searches(String side, BenchDaemon daemon, MixedSearches queries) {
    Memories memories = daemon.client().recall().memories();
    queries.ofEachShape(WARM_UP_OF_EACH_SHAPE).forEach(query -> answer(memories, query));
    List<Measured> rounds = new ArrayList<>();
    Map<String, List<Double>> shapes = new TreeMap<>();
    int found = 0;
    int asked = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Double> ofRound = new ArrayList<>();
      for (Query query : queries.ofEachShape(OF_EACH_SHAPE)) {
        Clock clock = Clock.start();
        MemoryAnswer answer = answer(memories, query);
        double millis = clock.micros() / MICROS_IN_MILLI;
        ofRound.add(millis);
        shapes.computeIfAbsent(query.shape(), _ -> new ArrayList<>()).add(millis);
        asked++;
        found += answer.hits().isEmpty() ? 0 : 1;
      }
      rounds.add(new Measured(ofRound));
    }
    return new Searches(side, rounds, shapes, (double) found / asked);
  }

  /// @throws IllegalStateException when memories could not be read
  private static MemoryAnswer answer(Memories memories, Query query) {
    MemoryAnswer answer = memories.search(query.search());
    if (answer.skipped() > 0 || answer.omitted() > 0) {
      throw new IllegalStateException("incomplete: " + query.search());
    }
    return answer;
  }
}
