package dev.agentmemory.bench.search;

import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// Questions to a store that each package has filled itself, one at a time. Each is asked twice: by
/// words only and by words and meaning.
final class SearchSpeedComparison extends DaemonComparison {

  private static final int EVENTS = 100_000;
  private static final int VECTORS = 2_000;
  private static final int FILL_SESSIONS = 500;
  private static final int ROUNDS = 8;
  private static final int IN_ROUND = 40;
  private static final int WARM_UP = 200;
  private static final long SEED = 7;
  private static final String NAME = "search-speed";

  private final int sessions = Integer.getInteger("events", EVENTS) / Talk.IN_SESSION;
  private final int events = sessions * Talk.IN_SESSION;

  SearchSpeedComparison() {
    super(NAME, "question", ROUNDS);
  }

  @Override
  public void prepare(Site site) throws InterruptedException {
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      for (int from = 0; from < sessions; from += FILL_SESSIONS) {
        List<Event> talks = Talk.sessions(from, Math.min(sessions, from + FILL_SESSIONS));
        Sending.stream(daemon.client(), talks);
      }
      settle(daemon);
    }
    try (BenchDaemon daemon = site.daemon(NAME)) {
      // It leaves the job paused, also for the daemons that are measured.
      var _ = SearchSpeedBenchmark.embed(site, daemon, Math.min(VECTORS, events));
    }
  }

  @Override
  protected BenchDaemon start(Site site) {
    return site.daemon(NAME);
  }

  /// All pairs read the same store.
  @Override
  protected void discard(Site site) {}

  @Override
  protected int inRound() {
    return IN_ROUND;
  }

  @Override
  protected void warmUp(BenchDaemon daemon) {
    new Questions(events, SEED + ROUNDS).typed(WARM_UP).forEach(question -> ask(daemon, question));
  }

  @Override
  protected List<Double> measure(BenchDaemon daemon, int number) {
    var times = new ArrayList<Double>();
    for (String question : new Questions(events, SEED + number).typed(IN_ROUND)) {
      Clock clock = Clock.start();
      ask(daemon, question);
      times.add(clock.micros());
    }
    return times;
  }

  private void ask(BenchDaemon daemon, String question) {
    for (SearchMode mode : List.of(SearchMode.LEXICAL, SearchMode.HYBRID)) {
      SearchSpeedBenchmark.ask(daemon.client(), question, mode, events);
    }
  }
}
