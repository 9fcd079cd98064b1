package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;

/// Storing one event a call, one call at a time. The median is what is waited.
final class LatencyComparison extends DaemonComparison {

  private static final int ROUNDS = 4;
  private static final int ROUND = 2_500;
  private static final int AT_ONCE = 64;
  private static final int LONE_WARM_UP = 5_000;
  private static final int WARM_UP = 20_000;

  private final int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;

  LatencyComparison() {
    super("latency", "call", ROUNDS);
  }

  @Override
  protected int inRound() {
    return inRound;
  }

  @Override
  protected void warmUp(BenchDaemon daemon) {
    MemoryClient client = daemon.client();
    List<Event> events = WorkDay.events(0, WARM_UP + LONE_WARM_UP);
    Sending.inFlight(AT_ONCE, WARM_UP, i -> client.ingest().appendAsync(events.get(i)));
    settle(daemon);
    events.subList(WARM_UP, events.size()).forEach(client.ingest()::append);
  }

  @Override
  protected List<Double> measure(BenchDaemon daemon, int number) {
    var times = new ArrayList<Double>();
    for (Event event : WorkDay.events(WARM_UP + LONE_WARM_UP + number * inRound, inRound)) {
      Clock clock = Clock.start();
      daemon.client().ingest().append(event);
      times.add(clock.micros());
    }
    return times;
  }
}
