package dev.agentmemory.bench;

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
    measure(site);
  }

  @Override
  public Cost measure(Site site) {
    Clock clock = Clock.start();
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      double waited = clock.micros();
      double cpu = ProcessorTime.micros(daemon.pid());
      daemon.awaitToc();
      return new Cost(cpu, waited);
    }
  }
}
