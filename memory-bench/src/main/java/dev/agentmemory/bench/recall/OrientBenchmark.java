package dev.agentmemory.bench.recall;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.toc.segment.BpeTokens;
import dev.agentmemory.toc.segment.TokenCounter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// What an agent has to know when it begins: how fast it is told, and whether it fits.
public final class OrientBenchmark implements Benchmark {

  private static final int MEMORIES = 10_000;
  private static final int EVENTS = Integer.getInteger("events", 100_000);
  private static final int SESSIONS_AT_ONCE = 500;
  private static final int WARM_UP = 300;
  private static final int RANDOM_CALLS = 1_000;
  private static final int DEFAULT_CALLS = 200;
  private static final double BAR_MILLIS = 100;
  private static final double BAR_SHARE = 0.85;
  private static final double MICROS_IN_MILLI = 1000;
  private static final long SEED = 13;

  @Override
  public String name() {
    return "orient";
  }

  @Override
  public String shows() {
    return "p95 and token budget of orientation, " + MEMORIES + " memories, 100,000 events";
  }

  /// A document and what it was asked for with.
  private record Answer(OrientationRequest request, OrientationDocument document, double millis) {}

  @Override
  public Result run(Site site) {
    BenchDaemon daemon = site.daemon("orient");
    MemoryClient client = daemon.client();
    var memories = new GeneratedMemories(Instant.now());
    var subjects = new BudgetSubjects(new BpeTokens());
    fill(site, daemon, memories, subjects);
    var random = new SplittableRandom(SEED);
    var queries = new MixedSearches(memories, MEMORIES - subjects.size(), SEED);
    Recall recall = client.recall();
    for (int i = 0; i < WARM_UP; i++) {
      var _ = recall.orient(anyRequest(queries, random));
    }
    List<Answer> ofDefault = new ArrayList<>();
    for (int i = 0; i < DEFAULT_CALLS; i++) {
      ofDefault.add(ask(recall, OrientationRequest.of(queries.question())));
    }
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < RANDOM_CALLS; i++) {
      answers.add(ask(recall, anyRequest(queries, random)));
    }
    site.progress("asked");
    List<BudgetSubjects.Used> used = subjects.used(recall);
    long repeatedOtherwise =
        answers.stream()
            .limit(DEFAULT_CALLS)
            .filter(answer -> !recall.orient(answer.request()).equals(answer.document()))
            .count();
    long memoryCount = recall.memories().stats().total();
    Set<String> cited = new LinkedHashSet<>();
    answers.forEach(answer -> cited.addAll(answer.document().citations()));
    Citations citations = Citations.resolve(client, cited);
    return result(answers, ofDefault, used, citations, repeatedOtherwise, memoryCount);
  }

  /// Memories first, so that all of them have vectors and no event takes time to get one.
  private static void fill(
      Site site, BenchDaemon daemon, GeneratedMemories memories, BudgetSubjects subjects) {
    MemoryClient client = daemon.client();
    client.jobs().pause(MemoryJobs.CONSOLIDATION);
    memories.store(client, 0, MEMORIES - subjects.size());
    subjects.store(client.recall().memories(), memories.until());
    MemoryJobs.awaitVectors(daemon);
    client.jobs().pause(Workers.EMBEDDING);
    site.progress("memories are stored and embedded");
    int sessions = EVENTS / Talk.IN_SESSION;
    for (int from = 0; from < sessions; from += SESSIONS_AT_ONCE) {
      Sending.stream(client, Talk.sessions(from, Math.min(sessions, from + SESSIONS_AT_ONCE)));
    }
    daemon.awaitToc();
    daemon.awaitIndexed(client, EVENTS);
    site.progress("events are stored");
  }

  /// Every second one from a session of the log; a tenth without a query.
  private static OrientationRequest anyRequest(MixedSearches queries, SplittableRandom random) {
    String query = random.nextInt(10) == 0 ? "" : queries.question();
    Viewer viewer =
        random.nextBoolean()
            ? Viewer.WORKSPACE
            : new Viewer(
                Optional.of(
                    Talk.session(random.nextInt(EVENTS / Talk.IN_SESSION)).getFirst().session()),
                Optional.empty());
    double most = Math.log(OrientationRequest.MAX_BUDGET);
    double least = Math.log(OrientationRequest.MIN_BUDGET);
    int budget = (int) Math.round(Math.exp(random.nextDouble(least, most)));
    return new OrientationRequest(query, viewer, budget);
  }

  private static Answer ask(Recall recall, OrientationRequest request) {
    Clock clock = Clock.start();
    OrientationDocument document = recall.orient(request);
    return new Answer(request, document, clock.micros() / MICROS_IN_MILLI);
  }

  private static Measured millis(List<Answer> answers) {
    return new Measured(answers.stream().map(Answer::millis).toList());
  }

  private Result result(
      List<Answer> answers,
      List<Answer> ofDefault,
      List<BudgetSubjects.Used> used,
      Citations citations,
      long repeatedOtherwise,
      long memoryCount) {
    TokenCounter tokens = new BpeTokens();
    long over = 0;
    long wronglyCounted = 0;
    for (Answer answer : answers) {
      int counted = tokens.count(answer.document().markdown());
      over += counted > answer.request().budgetTokens() ? 1 : 0;
      wronglyCounted += counted == answer.document().tokens() ? 0 : 1;
    }
    var shares = new Measured(used.stream().map(BudgetSubjects.Used::share).toList());
    long pinsBehind = used.stream().mapToLong(BudgetSubjects.Used::pinsBehind).sum();
    Measured all = millis(answers);
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_MILLIS, "p95", CallTimes.p95(all), "ms"),
            Check.atMost(0, "documents over their budget", (double) over, ""),
            Check.atLeast(
                BAR_SHARE, "smallest share of the budget used", smallest(shares), "ratio"),
            Check.atMost(0, "pinned memories behind or missing", (double) pinsBehind, ""),
            Check.atLeast(1, "citations that resolve", citations.share(), "ratio"),
            Check.atMost(0, "repeated calls with other bytes", (double) repeatedOtherwise, "")),
        List.of(
            Result.Row.of("memories", "", (double) memoryCount),
            Result.Row.of("events", "", EVENTS),
            new Result.Row("orientation, any budget", "ms", all),
            Result.Row.of("p95, any budget", "ms", CallTimes.p95(all)),
            Result.Row.of("p95, budget 1,000", "ms", CallTimes.p95(millis(ofDefault))),
            new Result.Row("share of the budget used", "ratio", shares),
            Result.Row.of("distinct citations", "", (double) citations.count()),
            Result.Row.of("citations of memories", "", (double) citations.memories()),
            Result.Row.of("documents with another number of tokens", "", (double) wronglyCounted)),
        List.of(
            "%d calls with budgets of 100 to 32,000 tokens, evenly over the orders of magnitude"
                .formatted(RANDOM_CALLS),
            "share of the budget: " + BudgetSubjects.DESCRIPTION,
            "all memories have vectors; embedding of events is paused"));
  }

  private static double smallest(Measured shares) {
    return shares.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }
}
