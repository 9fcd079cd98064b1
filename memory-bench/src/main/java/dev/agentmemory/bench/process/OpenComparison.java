package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.ProcessorTime;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.run.Site;
import java.util.List;

/// From the start of the launcher until the daemon serves, on a store that each package has filled
/// itself and closed in good order.
final class OpenComparison implements Comparison {

  private static final int EVENTS = 200_000;
  private static final String NAME = "open";

  @Override
  public List<Figure> figures() {
    return Figure.times("start");
  }

  @Override
  public void prepare(Site site) {
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      Years.fill(daemon, Integer.getInteger("events", EVENTS));
      daemon.awaitIndexed();
      DaemonComparison.pause(daemon.client().jobs());
    }
    // What a first start still has to do after the filling must not count.
    new Start(site).round(0);
  }

  @Override
  public int rounds() {
    return 1;
  }

  @Override
  public Run begin(Site site) {
    return new Start(site);
  }

  private static final class Start implements Run {

    private final Site site;
    private List<Double> costs = List.of();

    Start(Site site) {
      this.site = site;
    }

    @Override
    public void round(int number) {
      Clock clock = Clock.start();
      try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
        double waited = clock.micros();
        costs = List.of(ProcessorTime.micros(daemon.pid()), waited);
        daemon.awaitToc();
      }
    }

    @Override
    public List<Double> costs() {
      return costs;
    }

    @Override
    public void close() {}
  }
}
