package dev.agentmemory.bench;

import java.util.Optional;

/// From the start of the launcher until the daemon serves, on a store that each package has filled
/// itself and closed in good order.
final class OpenComparison implements Comparison {

  private static final int EVENTS = 200_000;
  private static final String NAME = "open";

  @Override
  public String unit() {
    return "start";
  }

  @Override
  public void prepare(Site site) {
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      Years.fill(daemon, Integer.getInteger("events", EVENTS));
      daemon.awaitIndexed();
    }
    // What a first start still has to do after the filling must not count.
    begin(site).round(0);
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
    private Optional<Cost> cost = Optional.empty();

    Start(Site site) {
      this.site = site;
    }

    @Override
    public void round(int number) {
      Clock clock = Clock.start();
      try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
        double waited = clock.micros();
        cost = Optional.of(new Cost(ProcessorTime.micros(daemon.pid()), waited));
        daemon.awaitToc();
      }
    }

    @Override
    public Cost cost() {
      return cost.orElseThrow();
    }

    @Override
    public void close() {}
  }
}
