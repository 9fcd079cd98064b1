package dev.agentmemory.bench;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// Storing one event a call, one call at a time. The median is what is waited; processor time
/// counts until the events are in the table of contents and in the index.
final class LatencyComparison implements Comparison {

  private static final int CALLS = 10_000;
  private static final int AT_ONCE = 64;
  private static final int LONE_WARM_UP = 5_000;
  private static final int WARM_UP = 20_000;
  private static final String NAME = "latency";

  @Override
  public String unit() {
    return "call";
  }

  @Override
  public Cost measure(Site site) {
    int calls = Integer.getInteger("events", CALLS);
    var times = new ArrayList<Double>(calls);
    double cpu;
    try (BenchDaemon daemon = site.daemon(NAME, Site.WITHOUT_EMBEDDINGS)) {
      MemoryClient client = daemon.client();
      warmUp(daemon);
      List<Event> events = WorkDay.events(WARM_UP + LONE_WARM_UP, calls);
      var processor = ProcessorTime.since(daemon.pid());
      for (Event event : events) {
        Clock clock = Clock.start();
        client.ingest().append(event);
        times.add(clock.micros());
      }
      settle(daemon);
      cpu = processor.micros();
    }
    Trees.delete(site.path(NAME));
    return new Cost(cpu / calls, new Measured(times).median());
  }

  private static void warmUp(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    List<Event> events = WorkDay.events(0, WARM_UP + LONE_WARM_UP);
    Sending.inFlight(AT_ONCE, WARM_UP, i -> client.ingest().appendAsync(events.get(i)));
    settle(daemon);
    events.subList(WARM_UP, events.size()).forEach(client.ingest()::append);
    settle(daemon);
  }

  private static void settle(BenchDaemon daemon) {
    daemon.awaitToc();
    daemon.awaitIndexed();
  }
}
