package dev.agentmemory.bench.storage;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonBackups;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import dev.agentmemory.client.MemoryClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Backups of a daemon under full ingest load: whether they are complete, and how much they slow
/// ingest down.
public final class BackupBenchmark implements Benchmark {

  private static final int DAEMONS = 4;
  private static final int BACKUPS_OF_EACH = 5;
  private static final int WARM_UP_EVENTS = 60_000;
  private static final long BEFORE_MILLIS = 3_000;
  private static final double SLOW = 0.95;
  private static final double BAR = 2.0;

  private final List<Double> before = new ArrayList<>();
  private final List<Double> during = new ArrayList<>();
  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> newMiB = new ArrayList<>();
  private int compared;
  private int missing;
  private int changed;

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public String shows() {
    return DAEMONS * BACKUPS_OF_EACH
        + " backups under full ingest: completeness, and the effect on ingest";
  }

  @Override
  public Result run(Site site) throws IOException, InterruptedException {
    for (int number = 0; number < DAEMONS; number++) {
      run(site, "backed-up-" + number);
      site.progress("%d of %d backups".formatted(seconds.size(), DAEMONS * BACKUPS_OF_EACH));
    }
    var ratio = new Measured(during).over(new Measured(before));
    return new Result(
        name(),
        List.of(
            Check.atMost(0, "events acknowledged before and missing", missing, "events"),
            Check.atMost(0, "events in a backup that differ from those sent", changed, "events"),
            Check.atMost(BAR, "p95 of ingest, during / before", ratio.median(), "ratio")),
        List.of(
            new Result.Row("p95 of ingest before", "us", new Measured(before)),
            new Result.Row("p95 of ingest during", "us", new Measured(during)),
            new Result.Row("ratio", "ratio", ratio),
            new Result.Row("backup", "s", new Measured(seconds)),
            new Result.Row("copied", "MiB", new Measured(newMiB)),
            Result.Row.of("events compared", "", compared)),
        List.of(
            BackupLoad.AT_ONCE
                + " concurrent unary calls; each of "
                + DAEMONS
                + " daemons makes "
                + BACKUPS_OF_EACH
                + " backups, the time before each is measured for "
                + BEFORE_MILLIS
                + " ms; default rate"));
  }

  private void run(Site site, String name) throws IOException, InterruptedException {
    Path directory = site.path(name + "-backups");
    var acknowledged = new ArrayList<BitSet>();
    var ids = new ArrayList<String>();
    try (BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS);
        MemoryClient asking = daemon.another();
        var load = BackupLoad.start(daemon.client())) {
      daemon.awaitUntil("the warm-up", () -> load.acknowledged().cardinality() > WARM_UP_EVENTS);
      for (int i = 0; i < BACKUPS_OF_EACH; i++) {
        load.measure();
        Thread.sleep(BEFORE_MILLIS);
        before.add(load.measured().percentile(SLOW));
        acknowledged.add(load.acknowledged());
        load.measure();
        Clock clock = Clock.start();
        BackupStep.Made made = DaemonBackups.backUp(asking, directory);
        seconds.add(clock.micros() / 1e6);
        during.add(load.measured().percentile(SLOW));
        newMiB.add(made.newBytes() / (double) (1 << 20));
        ids.add(made.id());
      }
    }
    for (int i = 0; i < ids.size(); i++) {
      String restored = name + "-restored-" + i;
      DaemonBackups.restore(site.launcher(), directory, ids.get(i), site.path(restored));
      compare(site, restored, acknowledged.get(i));
      Trees.delete(site.path(restored));
    }
    Trees.delete(site.path(name));
    Trees.delete(directory);
  }

  private void compare(Site site, String restored, BitSet expected) {
    try (BenchDaemon daemon = site.daemon(restored, Site.WITHOUT_EMBEDDINGS)) {
      var found = new BitSet();
      DaemonContents.eachEvent(
          daemon.client(),
          event -> {
            int number = WorkDay.number(event);
            found.set(number);
            changed += DaemonContents.same(WorkDay.event(number), event) ? 0 : 1;
          });
      compared += found.cardinality();
      expected.andNot(found);
      missing += expected.cardinality();
    }
  }
}
