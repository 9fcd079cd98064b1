package dev.agentmemory.bench.search;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.OpenLoop;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// How fast a large store answers while it takes in more.
public final class SearchSpeedBenchmark implements Comparison.Possible {

  /// Number of events with an embedding, of a million.
  private static final double EMBEDDED = 0.05;

  private static final int CLIENTS = 8;
  private static final double QUESTIONS_PER_SECOND = 20;
  private static final double EVENTS_PER_SECOND = 100;
  private static final int ROUNDS = 5;
  private static final int IN_ROUND = 240;
  private static final int LIMIT = 10;
  private static final int POLL_MILLIS = 200;
  private static final double BAR_RATIO = 3;
  private static final double BAR_P50_MILLIS = 60;
  private static final double BAR_P99_MILLIS = 250;
  private static final long SEED = 7;

  @Override
  public String name() {
    return "search-speed";
  }

  @Override
  public String shows() {
    return "lexical and hybrid search in 1,000,000 events, 50,000 with embeddings, during ingest";
  }

  @Override
  public Comparison comparison() {
    return new SearchSpeedComparison();
  }

  @Override
  public Result run(Site site) throws Exception {
    site.stocked("speed");
    // Only the backfill uses these threads; queries are embedded on the threads of their calls.
    BenchDaemon daemon = site.daemon("speed", "search.embedding_threads=2");
    double vectors = embed(site, daemon, (long) (Stock.events() * EMBEDDED));
    var questions = new Questions(Stock.events(), SEED);
    var lexical = new ArrayList<Measured>();
    var hybrid = new ArrayList<Measured>();
    var asked = new ArrayList<String>();
    List<MemoryClient> clients =
        IntStream.range(0, CLIENTS).mapToObj(_ -> daemon.another()).toList();
    double rate;
    try (var trickle =
        Trickle.start(daemon.client(), EVENTS_PER_SECOND, SearchSpeedBenchmark::event, _ -> {})) {
      var loop = new OpenLoop<>(clients, QUESTIONS_PER_SECOND);
      for (int round = -1; round < ROUNDS; round++) {
        List<String> ofLexical = questions.typed(IN_ROUND);
        List<String> ofHybrid = questions.typed(IN_ROUND);
        // The order of the sides alternates.
        boolean first = round % 2 == 0;
        Measured one =
            ask(loop, first ? SearchMode.LEXICAL : SearchMode.HYBRID, first ? ofLexical : ofHybrid);
        Measured two =
            ask(loop, first ? SearchMode.HYBRID : SearchMode.LEXICAL, first ? ofHybrid : ofLexical);
        if (round >= 0) {
          lexical.add(first ? one : two);
          hybrid.add(first ? two : one);
          asked.addAll(ofHybrid);
        }
        site.progress("round " + (round + 1) + " of " + ROUNDS);
      }
      rate = trickle.rate();
    } finally {
      clients.forEach(MemoryClient::close);
    }
    daemon.close();
    return result(lexical, hybrid, Embedding.queryMillis(asked), vectors, rate);
  }

  private static void embedSome(MemoryClient client) {
    try {
      var _ = client.jobs().run(Workers.EMBEDDING);
    } catch (MemoryException e) {
      // After the pause it ends only with the daemon. Before that, too few vectors show a failure.
    }
  }

  /// Embeds the latest events until there are enough vectors, and no more from then on.
  ///
  /// @return how many there are
  static long embed(Site site, BenchDaemon daemon, long wanted) throws InterruptedException {
    MemoryClient client = daemon.client();
    Thread backfill = Thread.ofPlatform().daemon().name("backfill").start(() -> embedSome(client));
    long reported = 0;
    SearchReport index = client.search().status();
    while (index.vectors() < wanted) {
      if (!backfill.isAlive()) {
        throw new IllegalStateException("embedding has stopped: " + index);
      }
      if (index.vectors() >= reported + wanted / 10) {
        reported = index.vectors();
        site.progress(reported + " of " + wanted + " vectors");
      }
      Thread.sleep(POLL_MILLIS);
      index = client.search().status();
    }
    client.jobs().pause(Workers.EMBEDDING);
    return client.search().status().vectors();
  }

  private static Event event(int number) {
    int session = Stock.events() / Talk.IN_SESSION + number / Talk.IN_SESSION;
    return Talk.session(session).get(number % Talk.IN_SESSION);
  }

  private static Measured ask(OpenLoop<MemoryClient> loop, SearchMode mode, List<String> questions)
      throws InterruptedException {
    return loop.ask(questions, (client, question) -> ask(client, question, mode, Stock.events()));
  }

  /// Asks once in a mode.
  ///
  /// @param events how many the store holds
  /// @throws IllegalStateException when it was answered in another mode
  static void ask(MemoryClient client, String question, SearchMode mode, int events) {
    SearchAnswer answer = client.search().search(request(question, mode, events));
    if (answer.used() != mode) {
      throw new IllegalStateException(mode + " was asked for: " + answer.degraded());
    }
  }

  /// As [SearchRequest#of], in a mode, in the store of [Stock].
  static SearchRequest request(String question, SearchMode mode) {
    return request(question, mode, Stock.events());
  }

  private static SearchRequest request(String question, SearchMode mode, int events) {
    return SearchRequest.of(question, LIMIT, Talk.start(events / Talk.IN_SESSION)).withMode(mode);
  }

  private Result result(
      List<Measured> lexical,
      List<Measured> hybrid,
      Measured embedding,
      double vectors,
      double rate) {
    Measured all = Measured.all(hybrid);
    Measured ratio =
        new Measured(
            IntStream.range(0, lexical.size())
                .mapToObj(
                    i -> (hybrid.get(i).median() - embedding.median()) / lexical.get(i).median())
                .toList());
    return new Result(
        name(),
        List.of(
            Check.atMost(
                BAR_RATIO,
                "(hybrid p50 - a query's embedding) / lexical p50",
                ratio.median(),
                "ratio"),
            Check.atMost(BAR_P50_MILLIS, "hybrid p50", all.median(), "ms"),
            Check.atMost(BAR_P99_MILLIS, "hybrid p99", all.percentile(0.99), "ms")),
        List.of(
            Result.Row.of("events before the first query", "", Stock.events()),
            Result.Row.of("events with an embedding", "", vectors),
            Result.Row.of("concurrent ingest, acknowledged", "events/s", rate),
            new Result.Row("lexical, p50 of a round", "ms", medians(lexical)),
            Result.Row.of("lexical, p99 of all", "ms", Measured.all(lexical).percentile(0.99)),
            new Result.Row("hybrid, p50 of a round", "ms", medians(hybrid)),
            Result.Row.of("hybrid, p99 of all", "ms", all.percentile(0.99)),
            Result.Row.of("a query's embedding, p50, alone", "ms", embedding.median()),
            new Result.Row("ratio", "ratio", ratio)),
        List.of(
            "%d queries per side and round, at %.0f per second, from %d clients, %d hits each;"
                    .formatted(IN_ROUND, QUESTIONS_PER_SECOND, CLIENTS, LIMIT)
                + " times are measured from the planned time of a query",
            "the queries' embeddings are computed one after the other in the process of"
                + " the benchmark after the daemon has ended"));
  }

  private static Measured medians(List<Measured> rounds) {
    return new Measured(rounds.stream().map(Measured::median).toList());
  }
}
