package dev.agentmemory.bench.search;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.bench.run.Trees;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.List;

/// How long a rebuild of the index from the log takes.
public final class RebuildBenchmark implements Benchmark {

  private static final double BAR = 5_000;
  private static final int EMBEDDED = 3_000;

  @Override
  public String name() {
    return "rebuild";
  }

  @Override
  public String shows() {
    return "events per second of a rebuild of the index from the log";
  }

  @Override
  public Result run(Site site) throws Exception {
    double lexical = lexical(site);
    double vectors = withVectors(site);
    return new Result(
        name(),
        List.of(Check.atLeast(BAR, "rebuilt, without embeddings", lexical, "events/s")),
        List.of(
            Result.Row.of("events, without embeddings", "", Stock.events()),
            Result.Row.of("rebuilt, without embeddings", "events/s", lexical),
            Result.Row.of("events, with embeddings", "", EMBEDDED),
            Result.Row.of("built from nothing, with embeddings", "events/s", vectors)),
        List.of(
            "without embeddings: one call that rebuilds the index while the old one serves",
            "with embeddings: the folder of the index is deleted; measured from the daemon's start until"
                + " every event has its embedding"));
  }

  private static double lexical(Site site) throws Exception {
    site.stocked("rebuild");
    try (BenchDaemon daemon = site.daemon("rebuild", Site.WITHOUT_EMBEDDINGS)) {
      MemoryClient client = daemon.client();
      daemon.awaitIndexed(client, Stock.events());
      Clock clock = Clock.start();
      long events = client.search().rebuild();
      double seconds = clock.seconds();
      if (events != Stock.events() || client.search().status().events() != events) {
        throw new IllegalStateException(
            events + " events in the new index; status: " + client.search().status());
      }
      return events / seconds;
    }
  }

  private static double withVectors(Site site) {
    List<Event> events = Talk.sessions(0, EMBEDDED / Talk.IN_SESSION);
    try (BenchDaemon daemon = site.daemon("vectors")) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
    }
    Trees.delete(IndexFiles.of(site, "vectors"));
    Clock clock = Clock.start();
    try (BenchDaemon daemon = site.daemon("vectors")) {
      daemon.awaitIndexed(daemon.client(), events.size());
      daemon.awaitEmbedded(daemon.client());
      return events.size() / clock.seconds();
    }
  }
}
