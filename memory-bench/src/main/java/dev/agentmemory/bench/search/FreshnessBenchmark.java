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
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/// How long it takes until a search finds a new event.
public final class FreshnessBenchmark implements Benchmark {

  private static final double EVENTS_PER_SECOND = 200;

  /// One in this number of events is searched for.
  static final int SAMPLED = 100;

  private static final int WARM_UP = 20;
  private static final int SAMPLES = 200;
  private static final int POLL_MILLIS = 40;
  private static final double BAR_SECONDS = 2;

  /// Prefix of the words that occur in one event only.
  private static final String MARK = "unheard";

  /// A suffix that no stemmer removes.
  private static final String END = "ox";

  @Override
  public String name() {
    return "freshness";
  }

  @Override
  public String shows() {
    return "time from the acknowledgement of an event until a search finds it, p99";
  }

  /// A stored event that no search has found yet.
  record Awaited(Event event, Clock since) {}

  @Override
  public Result run(Site site) throws InterruptedException {
    BenchDaemon daemon = site.daemon("freshness");
    Queue<Awaited> acknowledged = new ConcurrentLinkedQueue<>();
    try (MemoryClient searcher = daemon.another();
        var trickle =
            Trickle.start(
                daemon.client(),
                EVENTS_PER_SECOND,
                FreshnessBenchmark::event,
                event -> {
                  if (isSampled(event)) {
                    acknowledged.add(new Awaited(event, Clock.start()));
                  }
                })) {
      List<Double> seconds = found(searcher, acknowledged, trickle, WARM_UP + SAMPLES);
      return result(new Measured(seconds.subList(WARM_UP, WARM_UP + SAMPLES)), trickle.rate());
    }
  }

  /// Searches for all pending events, one after the other, until enough were found.
  static List<Double> found(
      MemoryClient searcher, Queue<Awaited> acknowledged, Trickle trickle, int enough)
      throws InterruptedException {
    var seconds = new ArrayList<Double>();
    var awaited = new ArrayList<Awaited>();
    while (seconds.size() < enough) {
      for (Awaited next = acknowledged.poll(); next != null; next = acknowledged.poll()) {
        awaited.add(next);
      }
      for (Iterator<Awaited> left = awaited.iterator(); left.hasNext(); ) {
        Awaited one = left.next();
        if (finds(searcher, one.event())) {
          seconds.add(one.since().seconds());
          left.remove();
        }
      }
      Thread.sleep(POLL_MILLIS);
      // Fails when an event was not stored, because no search would ever find it.
      var _ = trickle.rate();
    }
    return seconds;
  }

  private static boolean finds(MemoryClient searcher, Event event) {
    return searcher
        .search()
        .search(SearchSpeedBenchmark.request(word(event), SearchMode.LEXICAL))
        .hits()
        .stream()
        .anyMatch(hit -> hit.event().filter(event.key()::equals).isPresent());
  }

  private static Event event(int number) {
    Event event = Talk.session(number / Talk.IN_SESSION).get(number % Talk.IN_SESSION);
    return number % SAMPLED == 0 ? Talk.saying(event, unique(number)) : event;
  }

  /// A word that occurs in no other event.
  static String unique(int number) {
    return MARK + letters(number) + END;
  }

  /// A number without digits, because a word may be split at a digit.
  private static String letters(int number) {
    return Integer.toString(number)
        .chars()
        .mapToObj(digit -> Character.toString(digit - '0' + 'a'))
        .collect(Collectors.joining());
  }

  static boolean isSampled(Event event) {
    return word(event).startsWith(MARK);
  }

  private static String word(Event event) {
    return event.text().substring(event.text().lastIndexOf(' ') + 1).toLowerCase(Locale.ROOT);
  }

  private Result result(Measured seconds, double rate) {
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_SECONDS, "acknowledged to found, p99", seconds.percentile(0.99), "s")),
        List.of(
            new Result.Row("acknowledged to found", "s", seconds),
            Result.Row.of("acknowledged to found, p90", "s", seconds.percentile(0.9)),
            Result.Row.of("acknowledged to found, p99", "s", seconds.percentile(0.99)),
            Result.Row.of("acknowledged", "events/s", rate)),
        List.of(
            "one event in %d has a unique word, which is searched for repeatedly"
                .formatted(SAMPLED),
            "default settings: events are embedded at the same time"));
  }
}
