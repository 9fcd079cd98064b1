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
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How many durable events per second one client stores through the stream, compared with RocksDB
/// alone.
public final class IngestBenchmark implements Comparison.Possible {

  private static final int ROUNDS = 7;

  /// The JIT compiler uses most of a core until the third round.
  private static final int WARM_UP = 3;

  private static final int EVENTS = 100_000;
  private static final double BAR = 0.8;

  @Override
  public String name() {
    return "ingest";
  }

  @Override
  public String shows() {
    return "durable events/s through the stream, compared with RocksDB alone";
  }

  @Override
  public Comparison comparison() {
    return new IngestComparison(name(), "event", Sending::stream);
  }

  @Override
  public Result run(Site site) throws Exception {
    Path tables = prepareRows(site);
    var acked = new ArrayList<Double>();
    var drained = new ArrayList<Double>();
    var bare = new ArrayList<Double>();
    BenchDaemon daemon = site.daemon("measured", Site.WITHOUT_EMBEDDINGS);
    try (var source = BareStore.read(tables);
        var rows = new StoredRows(source);
        var store = BareStore.create(site.path("bare"), tables)) {
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        List<Event> events = events(round);
        List<List<BareStore.Row>> writes = rows.next(EVENTS);
        Clock clock = Clock.start();
        Sending.stream(daemon.client(), events);
        double ack = clock.seconds();
        daemon.awaitDrained();
        double drain = clock.seconds();
        daemon.awaitToc();
        daemon.awaitIndexed();
        clock = Clock.start();
        for (List<BareStore.Row> write : writes) {
          store.write(write);
        }
        double alone = clock.seconds();
        if (round >= 0) {
          acked.add(EVENTS / ack);
          drained.add(EVENTS / drain);
          bare.add(EVENTS / alone);
        }
      }
    }
    daemon.close();
    return result(
        new Measured(acked), new Measured(drained), new Measured(bare), whileEmbedding(site));
  }

  /// The rate of a daemon with default settings, which embeds earlier events at the same time.
  private static Measured whileEmbedding(Site site) {
    var acked = new ArrayList<Double>();
    try (BenchDaemon daemon = site.daemon("embedding")) {
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        List<Event> events = events(round);
        Clock clock = Clock.start();
        Sending.stream(daemon.client(), events);
        double ack = clock.seconds();
        daemon.awaitToc();
        daemon.awaitIndexed();
        if (round >= 0) {
          acked.add(EVENTS / ack);
        }
      }
    }
    return new Measured(acked);
  }

  private Result result(Measured acked, Measured drained, Measured bare, Measured whileEmbedding) {
    return new Result(
        name(),
        List.of(Check.atLeast(BAR, "ack rate / bare rate", acked.over(bare).median(), "ratio")),
        List.of(
            new Result.Row("acknowledged", "events/s", acked),
            new Result.Row("acknowledged, with embeddings", "events/s", whileEmbedding),
            new Result.Row("outbox drained", "events/s", drained),
            new Result.Row("bare store", "events/s", bare),
            new Result.Row("ack / bare", "ratio", acked.over(bare)),
            new Result.Row("drain / bare", "ratio", drained.over(bare))),
        List.of(
            EVENTS
                + " events of "
                + WorkDay.EVENT_BYTES
                + " bytes per round, workers running, without embeddings unless stated",
            "bare: RocksDB with the daemon's rows for these events, tables and options, "
                + StoredRows.COMMITS_IN_WRITE
                + " events per synced write"));
  }

  /// Makes a daemon store all events once, without a consumer of the outbox.
  ///
  /// @return its tables
  private static Path prepareRows(Site site) {
    try (BenchDaemon daemon = site.daemon("rows", Site.WITHOUT_EMBEDDINGS)) {
      Workers.pause(daemon.client());
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        Sending.stream(daemon.client(), events(round));
      }
    }
    return site.path("rows").resolve(BareStore.TABLES);
  }

  private static List<Event> events(int round) {
    return WorkDay.events((round + WARM_UP) * EVENTS, EVENTS);
  }
}
