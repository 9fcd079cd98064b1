package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// What storing costs beside a call that does nothing, many calls at once.
public final class UnaryBenchmark implements Comparison.Possible {

  private static final int ROUNDS = 7;
  private static final int INGESTS = 60_000;
  private static final int PINGS = 120_000;
  private static final int AT_ONCE = 64;
  private static final double BAR_RUNNING = 0.45;
  private static final double BAR_PAUSED = 0.6;

  @Override
  public String name() {
    return "ingest-unary";
  }

  @Override
  public String shows() {
    return "unary ingest compared with an empty call, " + AT_ONCE + " concurrent calls";
  }

  @Override
  public Comparison comparison() {
    return new IngestComparison(name(), "call", UnaryBenchmark::send);
  }

  private static void send(MemoryClient client, List<Event> events) {
    Sending.inFlight(AT_ONCE, events.size(), i -> client.ingest().appendAsync(events.get(i)));
  }

  /// Calls a second of both kinds.
  private static final class Side {

    private final List<Double> pings = new ArrayList<>();
    private final List<Double> ingests = new ArrayList<>();
    private final List<Double> eventsPerSync = new ArrayList<>();

    Measured ping() {
      return new Measured(pings);
    }

    Measured ingest() {
      return new Measured(ingests);
    }

    Measured sharing() {
      return new Measured(eventsPerSync);
    }

    void measure(MemoryClient client, int round, int from) {
      List<Event> events = WorkDay.events(from, INGESTS);
      Clock clock = Clock.start();
      Sending.inFlight(AT_ONCE, PINGS, i -> client.pingAsync());
      double ping = clock.seconds();
      long syncs = client.admin().status().store().walSyncs();
      clock = Clock.start();
      send(client, events);
      double ingest = clock.seconds();
      syncs = client.admin().status().store().walSyncs() - syncs;
      if (round >= 0) {
        pings.add(PINGS / ping);
        ingests.add(INGESTS / ingest);
        eventsPerSync.add((double) INGESTS / syncs);
      }
    }
  }

  @Override
  public Result run(Site site) {
    var running = new Side();
    var paused = new Side();
    BenchDaemon daemon = site.daemon("unary", Site.WITHOUT_EMBEDDINGS);
    MemoryClient client = daemon.client();
    for (int round = -2; round < ROUNDS; round++) {
      int from = (round + 2) * 2 * INGESTS;
      running.measure(client, round, from);
      daemon.awaitToc();
      daemon.awaitIndexed();
      Workers.pause(client);
      paused.measure(client, round, from + INGESTS);
      Workers.resume(client);
      daemon.awaitToc();
      daemon.awaitIndexed();
    }
    Measured withWorkers = running.ingest().over(running.ping());
    Measured alone = paused.ingest().over(paused.ping());
    return new Result(
        name(),
        List.of(
            Check.atLeast(
                BAR_RUNNING, "ingest / no-op, workers running", withWorkers.median(), "ratio"),
            Check.atLeast(BAR_PAUSED, "ingest / no-op, workers paused", alone.median(), "ratio")),
        List.of(
            new Result.Row("no-op, workers running", "calls/s", running.ping()),
            new Result.Row("ingest, workers running", "calls/s", running.ingest()),
            new Result.Row("events per sync, workers running", "", running.sharing()),
            new Result.Row("no-op, workers paused", "calls/s", paused.ping()),
            new Result.Row("ingest, workers paused", "calls/s", paused.ingest()),
            new Result.Row("events per sync, workers paused", "", paused.sharing()),
            new Result.Row("ratio, workers running", "ratio", withWorkers),
            new Result.Row("ratio, workers paused", "ratio", alone)),
        List.of(PINGS + " no-op calls and " + INGESTS + " events per round, one connection"));
  }
}
