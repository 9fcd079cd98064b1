package dev.agentmemory.bench;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// Storing one event a call, one call at a time. The median is what is waited; processor time
/// counts until the events are in the table of contents and in the index.
final class LatencyComparison implements Comparison {

  private static final int ROUNDS = 4;
  private static final int ROUND = 2_500;
  private static final int AT_ONCE = 64;
  private static final int LONE_WARM_UP = 5_000;
  private static final int WARM_UP = 20_000;
  private static final String NAME = "latency";

  private final int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;

  @Override
  public String unit() {
    return "call";
  }

  @Override
  public int rounds() {
    return ROUNDS;
  }

  @Override
  public Run begin(Site site) {
    return new Storing(site);
  }

  private final class Storing implements Run {

    private final Site site;
    private final BenchDaemon daemon;
    private final MemoryClient client;
    private final ProcessorTime processor;
    private final List<Double> times = new ArrayList<>();

    Storing(Site site) {
      this.site = site;
      this.daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS);
      this.client = daemon.client();
      warmUp();
      this.processor = ProcessorTime.since(daemon.pid());
    }

    private void warmUp() {
      List<Event> events = WorkDay.events(0, WARM_UP + LONE_WARM_UP);
      Sending.inFlight(AT_ONCE, WARM_UP, i -> client.ingest().appendAsync(events.get(i)));
      settle();
      events.subList(WARM_UP, events.size()).forEach(client.ingest()::append);
      settle();
    }

    @Override
    public void round(int number) {
      for (Event event : WorkDay.events(WARM_UP + LONE_WARM_UP + number * inRound, inRound)) {
        Clock clock = Clock.start();
        client.ingest().append(event);
        times.add(clock.micros());
      }
      settle();
    }

    private void settle() {
      daemon.awaitToc();
      daemon.awaitIndexed();
    }

    @Override
    public Cost cost() {
      return new Cost(processor.micros() / times.size(), new Measured(times).median());
    }

    @Override
    public void close() {
      daemon.close();
      Trees.delete(site.path(NAME));
    }
  }
}
