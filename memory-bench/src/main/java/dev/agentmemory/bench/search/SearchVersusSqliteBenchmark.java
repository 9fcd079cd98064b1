package dev.agentmemory.bench.search;

import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.client.MemoryClient;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Whether lexical search is as fast as the full-text search of SQLite.
public final class SearchVersusSqliteBenchmark implements Benchmark {

  private static final int ROUNDS = 5;
  private static final int IN_ROUND = 40;

  /// Warm-up rounds, until the daemon runs compiled code.
  private static final int WARM_UP = 10;

  private static final int LIMIT = 10;
  private static final double BAR = 1.0;
  private static final int SESSIONS_AT_ONCE = 500;
  private static final long SEED = 11;

  @Override
  public String name() {
    return "search-vs-sqlite";
  }

  @Override
  public String shows() {
    return "lexical search in 1,000,000 events, compared with SQLite FTS5";
  }

  private interface Call {
    int hits(String question) throws SQLException;
  }

  /// The times of both sides, one value per round.
  private record Sides(List<Double> ours, List<Double> theirs) {

    Sides() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    Measured ratio() {
      return new Measured(ours).over(new Measured(theirs));
    }
  }

  @Override
  public Result run(Site site) throws Exception {
    site.stocked("search");
    var asked = new Sides();
    var told = new Sides();
    try (var sqlite = SqliteTexts.create(site.path("texts.sqlite"));
        BenchDaemon daemon = site.daemon("search", Site.WITHOUT_EMBEDDINGS)) {
      load(site, sqlite);
      MemoryClient client = daemon.client();
      daemon.awaitIndexed(client, Stock.events());
      Call ours =
          question ->
              client
                  .search()
                  .search(SearchSpeedBenchmark.request(question, SearchMode.LEXICAL))
                  .hits()
                  .size();
      Call theirs = question -> sqlite.search(question, LIMIT).size();
      var questions = new Questions(Stock.events(), SEED);
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        compare(questions.plain(IN_ROUND), ours, theirs, round, asked);
        compare(
            questions.plain(IN_ROUND).stream().map(SearchVersusSqliteBenchmark::toldWords).toList(),
            ours,
            theirs,
            round,
            told);
        site.progress("round " + (round + 1) + " of " + ROUNDS);
      }
    }
    return result(asked, told);
  }

  private static void load(Site site, SqliteTexts sqlite) throws SQLException {
    int sessions = Stock.events() / Talk.IN_SESSION;
    for (int from = 0; from < sessions; from += SESSIONS_AT_ONCE) {
      sqlite.add(Talk.sessions(from, Math.min(sessions, from + SESSIONS_AT_ONCE)));
    }
    sqlite.optimize();
    site.progress("the texts are in SQLite");
  }

  /// Rounds with a negative number are warm-up.
  private static void compare(
      List<String> questions, Call ours, Call theirs, int round, Sides sides) throws SQLException {
    boolean first = round % 2 == 0;
    double one = median(questions, first ? ours : theirs);
    double two = median(questions, first ? theirs : ours);
    if (round >= 0) {
      sides.ours().add(first ? one : two);
      sides.theirs().add(first ? two : one);
    }
  }

  /// Milliseconds.
  private static double median(List<String> questions, Call call) throws SQLException {
    var millis = new ArrayList<Double>();
    for (String question : questions) {
      Clock clock = Clock.start();
      int hits = call.hits(question);
      millis.add(clock.micros() / 1000);
      if (hits == 0) {
        throw new IllegalStateException("no hits for words of an event: " + question);
      }
    }
    return new Measured(millis).median();
  }

  private static String toldWords(String question) {
    return Questions.words(question).stream()
        .filter(Questions::tells)
        .collect(Collectors.joining(" "));
  }

  private Result result(Sides asked, Sides told) {
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "agent-memory / SQLite, p50", asked.ratio().median(), "ratio")),
        List.of(
            new Result.Row("questions: agent-memory, p50", "ms", new Measured(asked.ours())),
            new Result.Row("questions: SQLite, p50", "ms", new Measured(asked.theirs())),
            new Result.Row("questions: ratio", "ratio", asked.ratio()),
            new Result.Row(
                "without function words: agent-memory, p50", "ms", new Measured(told.ours())),
            new Result.Row(
                "without function words: SQLite, p50", "ms", new Measured(told.theirs())),
            new Result.Row("without function words: ratio", "ratio", told.ratio())),
        List.of(
            "%d events; %d queries per side and round, the same for both, one at a time, %d hits"
                .formatted(Stock.events(), IN_ROUND, LIMIT),
            "agent-memory over gRPC, with snippets; SQLite in the benchmark's process, words joined"
                + " by OR, stemmed, table optimised"));
  }
}
