package dev.agentmemory.bench.retrieval;

import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.retrieval.FactUpdates.Update;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Whether a search finds the newer of two statements about one fact.
public final class UpdatesBenchmark implements Benchmark {

  private static final int UPDATES = 200;
  private static final int FIRST = 3;
  private static final double BAR = 0.97;

  /// Tokens of a context with space for about three turns.
  private static final int SMALL = 250;

  /// Tokens of a context by default.
  private static final int USUAL = 1500;

  private static final int MISSES_SHOWN = 10;

  @Override
  public String name() {
    return "updates";
  }

  @Override
  public String shows() {
    return "how often the newer of two statements about one fact is found";
  }

  /// Result of one question.
  ///
  /// @param newer rank of the newer statement among the hits, 1 and up; 0 when it is missing
  /// @param older rank of the older one
  /// @param small events of a small context
  /// @param usual events of a default context
  private record UpdateAnswers(
      Update update, int newer, int older, List<EventId> small, List<EventId> usual) {

    boolean isFirst() {
      return newer > 0 && newer <= FIRST;
    }

    boolean hidesTheNewer() {
      return older > 0 && newer == 0;
    }

    boolean isInSmall() {
      return small.contains(update.newer().id());
    }

    boolean contextHidesTheNewer() {
      return hides(small) || hides(usual);
    }

    private boolean hides(List<EventId> context) {
      return context.contains(update.older().id()) && !context.contains(update.newer().id());
    }
  }

  @Override
  public Result run(Site site) {
    long seed = Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    site.progress("seed " + seed);
    FactUpdates facts = FactUpdates.of(seed, UPDATES);
    var asked = new ArrayList<UpdateAnswers>();
    try (BenchDaemon daemon = site.daemon("updates");
        MemoryClient client = daemon.another()) {
      Sending.stream(client, facts.events());
      daemon.awaitIndexed(client, facts.events().size());
      daemon.awaitEmbedded(client);
      site.progress("stored and embedded " + facts.events().size() + " events");
      Instant over = facts.events().getLast().timestamp().plusSeconds(60);
      for (Update update : facts.updates()) {
        asked.add(ask(client, update, over));
      }
    }
    return result(seed, facts, asked);
  }

  private static UpdateAnswers ask(MemoryClient client, Update update, Instant now) {
    List<EventId> found = new ArrayList<>();
    boolean more = true;
    while (more && found.size() < SearchRequest.MAX_REACH) {
      SearchAnswer answer = client.search().search(request(update.question(), found.size(), now));
      answer.hits().forEach(hit -> found.add(hit.event().orElseThrow().id()));
      more = answer.more() && !answer.hits().isEmpty();
    }
    return new UpdateAnswers(
        update,
        found.indexOf(update.newer().id()) + 1,
        found.indexOf(update.older().id()) + 1,
        context(client, update, SMALL, now),
        context(client, update, USUAL, now));
  }

  private static SearchRequest request(String question, int offset, Instant now) {
    return SearchRequest.of(question, SearchRequest.MAX_LIMIT, now).withOffset(offset);
  }

  private static List<EventId> context(
      MemoryClient client, Update update, int budget, Instant now) {
    return client.search().context(ContextRequest.of(update.question(), budget, now)).events();
  }

  private Result result(long seed, FactUpdates facts, List<UpdateAnswers> asked) {
    var rows = new ArrayList<Result.Row>();
    rows.add(Result.Row.of("events", "", facts.events().size()));
    rows.add(
        Result.Row.of("events in a context of " + SMALL + " tokens, mean", "", meanSmall(asked)));
    shares(asked).forEach((label, share) -> rows.add(Result.Row.of(label, "ratio", share)));
    var notes = new ArrayList<String>();
    notes.add("seed " + seed + " (-Dseed=" + seed + " in BENCH_JAVA_OPTS repeats the facts)");
    asked.stream()
        .filter(one -> !one.isFirst() || !one.isInSmall())
        .limit(MISSES_SHOWN)
        .forEach(one -> notes.add("missed: " + described(one)));
    return new Result(
        name(),
        List.of(
            Check.atLeast(
                BAR,
                "search: newer fact among the first " + FIRST,
                share(asked.stream().map(UpdateAnswers::isFirst).toList()),
                "ratio"),
            Check.atMost(
                0,
                "search: older fact among " + SearchRequest.MAX_REACH + " hits and newer not",
                (double) asked.stream().filter(UpdateAnswers::hidesTheNewer).count(),
                "cases"),
            Check.atLeast(
                BAR,
                "ask-context: newer fact within " + SMALL + " tokens",
                share(asked.stream().map(UpdateAnswers::isInSmall).toList()),
                "ratio"),
            Check.atMost(
                0,
                "ask-context: older fact within " + SMALL + " or " + USUAL + " tokens, newer not",
                (double) asked.stream().filter(UpdateAnswers::contextHidesTheNewer).count(),
                "cases")),
        rows,
        notes);
  }

  private static double meanSmall(List<UpdateAnswers> asked) {
    return asked.stream().mapToInt(one -> one.small().size()).average().orElse(0);
  }

  private static double share(List<Boolean> hold) {
    return hold.stream().filter(one -> one).count() / (double) hold.size();
  }

  /// Shares of newer facts among the first hits, by language and by kind.
  private static Map<String, Double> shares(List<UpdateAnswers> asked) {
    var by = new TreeMap<String, List<Boolean>>();
    for (UpdateAnswers one : asked) {
      for (String label :
          List.of(
              FactUpdates.label(one.update().language()), FactUpdates.label(one.update().kind()))) {
        by.computeIfAbsent("search: " + label, _ -> new ArrayList<>()).add(one.isFirst());
        by.computeIfAbsent("ask-context: " + label, _ -> new ArrayList<>()).add(one.isInSmall());
      }
    }
    var shares = new TreeMap<String, Double>();
    by.forEach((label, hold) -> shares.put(label, share(hold)));
    return shares;
  }

  private static String described(UpdateAnswers one) {
    return "hit %d (the older %d), %s: %s / %s / %s"
        .formatted(
            one.newer(),
            one.older(),
            one.isInSmall() ? "in the context" : "not in the context",
            one.update().question(),
            text(one.update().older()),
            text(one.update().newer()));
  }

  private static String text(Event event) {
    return event.text();
  }
}
