package dev.agentmemory.bench.process;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import java.util.List;

/// How much memory an open workspace takes: one daemon with one workspace and then with many.
public final class WorkspacesBenchmark implements Benchmark {

  private static final int WORKSPACES = 50;
  private static final int EVENTS = 200;

  /// Longer than the time after which idle threads end.
  private static final int SETTLE_MILLIS = 15_000;

  @Override
  public String name() {
    return "workspaces";
  }

  @Override
  public String shows() {
    return "anonymous memory with 1 and with " + WORKSPACES + " open stores";
  }

  @Override
  public Result run(Site site) throws Exception {
    BenchDaemon daemon = site.daemon("many", "workspaces.max_open=64");
    double none = settled(daemon);
    fill(daemon, 0);
    double one = settled(daemon);
    Clock clock = Clock.start();
    for (int i = 1; i < WORKSPACES; i++) {
      fill(daemon, i);
    }
    double seconds = clock.seconds();
    double many = settled(daemon);
    long open =
        daemon.client().workspaces().list(PageRequest.of(1000)).items().stream()
            .filter(WorkspaceReport::open)
            .count();
    return new Result(
        name(),
        // The default workspace is open as well.
        List.of(Check.atLeast(WORKSPACES, "open stores", (double) open, "stores")),
        List.of(
            Result.Row.of("default workspace only, empty", "MiB", none),
            Result.Row.of("with 1 more workspace", "MiB", one),
            Result.Row.of("with " + WORKSPACES + " more workspaces", "MiB", many),
            Result.Row.of("per additional workspace", "MiB", (many - one) / (WORKSPACES - 1)),
            Result.Row.of("opened and filled", "stores/s", (WORKSPACES - 1) / seconds)),
        List.of(
            "RssAnon of the daemon, "
                + EVENTS
                + " events of "
                + WorkDay.EVENT_BYTES
                + " bytes in each store, table of contents complete",
            "includes garbage from filling the stores: no collection is forced"));
  }

  private static void fill(BenchDaemon daemon, int number) {
    try (MemoryClient client = daemon.client("work-%02d".formatted(number))) {
      Sending.stream(client, WorkDay.events(0, EVENTS));
      daemon.awaitToc(client);
    }
  }

  private static double settled(BenchDaemon daemon) throws InterruptedException {
    // Memory is released after a delay, and nothing signals that.
    Thread.sleep(SETTLE_MILLIS);
    return daemon.anonymousMiB();
  }
}
