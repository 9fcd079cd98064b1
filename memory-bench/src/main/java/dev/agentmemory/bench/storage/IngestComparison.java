package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.function.BiConsumer;

/// Storing many events at once. Time is waited until the events of a round are acknowledged, the
/// median of the rounds: a compilation or a merge of tables falls into one round or into another.
final class IngestComparison extends DaemonComparison {

  private static final int ROUNDS = 12;
  private static final int ROUND = 5_000;
  private static final int WARM_UP = 60_000;

  private final int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;
  private final int warmUp = Math.min(WARM_UP, ROUNDS * inRound);
  private final BiConsumer<MemoryClient, List<Event>> send;

  /// @param send stores events and returns when all are acknowledged
  IngestComparison(String name, String unit, BiConsumer<MemoryClient, List<Event>> send) {
    super(name, unit, ROUNDS);
    this.send = send;
  }

  @Override
  protected int inRound() {
    return inRound;
  }

  @Override
  protected void warmUp(BenchDaemon daemon) {
    send.accept(daemon.client(), WorkDay.events(0, warmUp));
  }

  @Override
  protected List<Double> measure(BenchDaemon daemon, int number) {
    List<Event> events = WorkDay.events(warmUp + number * inRound, inRound);
    Clock clock = Clock.start();
    send.accept(daemon.client(), events);
    return List.of(clock.micros() / inRound);
  }
}
