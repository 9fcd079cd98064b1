package dev.agentmemory.bench.recall;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// How long a caller waits for one durable memory, compared with one durable event.
public final class MemoriesWriteBenchmark implements Benchmark {

  private static final int STORED = 10_000;
  private static final int ROUNDS = 30;
  private static final int ROUNDS_AT_ONCE = 5;

  /// Rounds of each state that do not count: the daemon compiles code meanwhile, which delays
  /// calls. After its start it does so for two minutes.
  private static final int DISCARDED_AT_FIRST = 100;

  private static final int DISCARDED = 40;

  private static final int CALLS = 200;
  private static final int WARM_UP_AT_ONCE = 40_000;
  private static final int WARM_UP_CALLS = 5_000;

  /// Memories that exist at the same time while the daemon warms up: as many as a workspace keeps.
  private static final int WARM_UP_STORED = 10_000;

  private static final int AT_ONCE = 64;
  private static final int CLIENTS = 8;
  private static final double BAR_RATIO = 1.5;
  private static final double BAR_MILLIS = 50;
  private static final Tag WARM_UP = new Tag("warm-up");

  /// About as long as the text of an event of [WorkDay].
  private static final int TEXT_LENGTH = 430;

  @Override
  public String name() {
    return "memories-write";
  }

  @Override
  public String shows() {
    return "p95 of storing a memory / p95 of storing an event, none and "
        + STORED
        + " stored before";
  }

  /// The two sides in one state of the store.
  private record Sides(String state, List<Measured> events, List<Measured> memories) {

    Measured allEvents() {
      return Measured.all(events);
    }

    Measured allMemories() {
      return Measured.all(memories);
    }

    double ratio() {
      return CallTimes.p95(allMemories()) / CallTimes.p95(allEvents());
    }

    List<Check> checks() {
      return List.of(
          Check.atMost(BAR_RATIO, "p95 memory / p95 event, " + state, ratio(), "ratio"),
          Check.atMost(BAR_MILLIS, "p95 memory, " + state, CallTimes.p95(allMemories()), "ms"));
    }

    List<Result.Row> rows() {
      return List.of(
          new Result.Row("event, " + state, "ms", allEvents()),
          new Result.Row("memory, " + state, "ms", allMemories()),
          new Result.Row("event, p95 of a round, " + state, "ms", CallTimes.p95s(events)),
          new Result.Row("memory, p95 of a round, " + state, "ms", CallTimes.p95s(memories)));
    }
  }

  /// Generates what is written. Nothing is written twice.
  private static final class Source {

    private final GeneratedMemories memories = new GeneratedMemories(Instant.now());
    private int nextEvent;
    private int nextMemory = STORED;

    List<Event> events(int count) {
      nextEvent += count;
      return WorkDay.events(nextEvent - count, count);
    }

    List<MemoryDraft> drafts(int count) {
      nextMemory += count;
      return IntStream.range(nextMemory - count, nextMemory)
          .mapToObj(number -> memories.draft(number, TEXT_LENGTH))
          .toList();
    }

    List<MemoryDraft> warmUp(int count) {
      return drafts(count).stream()
          .map(draft ->
              MemoryDraft.builder(MemoryContent.of(draft.content().text()))
                  .place(MemoryPlace.WORKSPACE)
                  .tags(Set.of(WARM_UP))
                  .build())
          .toList();
    }
  }

  @Override
  public Result run(Site site) throws InterruptedException {
    BenchDaemon daemon = site.daemon("write", Site.WITHOUT_EMBEDDINGS);
    MemoryClient client = daemon.client();
    client.jobs().pause(MemoryJobs.CONSOLIDATION);
    List<MemoryClient> clients =
        IntStream.range(0, CLIENTS).mapToObj(_ -> daemon.another()).toList();
    try {
      return result(site, daemon, clients);
    } finally {
      clients.forEach(MemoryClient::close);
    }
  }

  private Result result(Site site, BenchDaemon daemon, List<MemoryClient> clients)
      throws InterruptedException {
    MemoryClient client = daemon.client();
    var source = new Source();
    warmUp(daemon, clients, source);
    site.progress("warm");
    Sides few = sides(daemon, source, "few stored", DISCARDED_AT_FIRST);
    source.memories.store(client, 0, STORED);
    Sides many = sides(daemon, source, STORED + " stored", DISCARDED);
    List<Result.Row> rows = new ArrayList<>(few.rows());
    rows.addAll(many.rows());
    rows.addAll(concurrent(daemon, clients, source));
    List<Check> checks = new ArrayList<>(many.checks());
    checks.addAll(few.checks());
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "%d of each per round, in turns of alternating order, one at a time, workers running, without embeddings; the texts of both have about %d characters"
                .formatted(CALLS, TEXT_LENGTH)));
  }

  /// As for the benchmark `latency`: concurrent calls first, which is faster, and then single ones.
  /// As many of each kind, so that the code of both is compiled alike.
  private static void warmUp(BenchDaemon daemon, List<MemoryClient> clients, Source source)
      throws InterruptedException {
    MemoryClient client = daemon.client();
    List<Event> events = source.events(WARM_UP_AT_ONCE);
    Sending.inFlight(AT_ONCE, events.size(), i -> client.ingest().appendAsync(events.get(i)));
    idle(daemon);
    for (int stored = 0; stored < WARM_UP_AT_ONCE; stored += WARM_UP_STORED) {
      remember(clients, WARM_UP_STORED / clients.size(), source::warmUp);
      forgetWarmUp(client);
    }
    source.events(WARM_UP_CALLS).forEach(client.ingest()::append);
    source.warmUp(WARM_UP_CALLS).forEach(client.recall().memories()::remember);
    forgetWarmUp(client);
    idle(daemon);
  }

  private static void forgetWarmUp(MemoryClient client) {
    var _ = client.recall().memories().delete(Deletion.ofTopic(WARM_UP), /* preview= */ false);
  }

  /// Each client stores as many, one at a time, all clients at the same time.
  private static Measured remember(
      List<MemoryClient> clients, int each, IntFunction<List<MemoryDraft>> drafts)
      throws InterruptedException {
    return CallTimes.atOnce(
        clients,
        clients.stream().map(_ -> drafts.apply(each)).toList(),
        (client, one) -> {
          var _ = client.recall().memories().remember(one);
        });
  }

  private static void idle(BenchDaemon daemon) {
    daemon.awaitToc();
    daemon.awaitIndexed();
    daemon.awaitExtracted();
  }

  /// An event and a memory take turns, so that a slow disk slows both. The work that a call leaves
  /// to the workers slows the next one, and an event leaves more than a memory. So which of the two
  /// comes first alternates, and half of the calls of each kind follow an event.
  private static Sides sides(BenchDaemon daemon, Source source, String state, int discarded) {
    MemoryClient client = daemon.client();
    List<Measured> events = new ArrayList<>();
    List<Measured> memories = new ArrayList<>();
    for (int round = -discarded; round < ROUNDS; round++) {
      List<Event> sent = source.events(CALLS);
      List<MemoryDraft> drafts = source.drafts(CALLS);
      List<Double> ofEvents = new ArrayList<>();
      List<Double> ofMemories = new ArrayList<>();
      for (int call = 0; call < 2 * CALLS; call++) {
        boolean eventFirst = call / 2 % 2 == 0;
        if (eventFirst == (call % 2 == 0)) {
          ofEvents.add(CallTimes.ofOne(sent.get(call / 2), client.ingest()::append));
        } else {
          ofMemories.add(
              CallTimes.ofOne(drafts.get(call / 2), client.recall().memories()::remember));
        }
      }
      idle(daemon);
      if (round >= 0) {
        events.add(new Measured(ofEvents));
        memories.add(new Measured(ofMemories));
      }
    }
    return new Sides(state, events, memories);
  }

  private static List<Result.Row> concurrent(
      BenchDaemon daemon, List<MemoryClient> clients, Source source) throws InterruptedException {
    List<Measured> events = new ArrayList<>();
    List<Measured> memories = new ArrayList<>();
    for (int round = -1; round < ROUNDS_AT_ONCE; round++) {
      Measured event =
          CallTimes.atOnce(
              clients,
              clients.stream().map(_ -> source.events(CALLS)).toList(),
              (client, one) -> {
                var _ = client.ingest().append(one);
              });
      idle(daemon);
      Measured memory = remember(clients, CALLS, source::drafts);
      if (round >= 0) {
        events.add(event);
        memories.add(memory);
      }
    }
    return List.of(
        new Result.Row(
            "event, p95 of a round, " + CLIENTS + " writers", "ms", CallTimes.p95s(events)),
        new Result.Row(
            "memory, p95 of a round, " + CLIENTS + " writers", "ms", CallTimes.p95s(memories)));
  }
}
