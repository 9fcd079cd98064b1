package dev.agentmemory.bench.toc;

import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.util.List;

/// From the first send until everything is rolled up. Each round continues after the events of the
/// one before.
final class TocComparison extends DaemonComparison {

  private static final int ROUNDS = 6;

  /// Copies of the dialogues in a round and, of as many rounds, in the warm-up.
  private static final int COPIES = 4;

  private List<Event> dialogues = List.of();
  private int copies = COPIES;

  TocComparison() {
    super("toc", "event", ROUNDS);
  }

  @Override
  public void prepare(Site site) throws IOException {
    dialogues = EventFiles.dialogues(site.locomo());
    int events = Integer.getInteger("events", ROUNDS * COPIES * dialogues.size());
    copies = Math.max(1, events / ROUNDS / dialogues.size());
  }

  @Override
  protected int inRound() {
    return copies * dialogues.size();
  }

  @Override
  protected void warmUp(BenchDaemon daemon) {
    Sending.stream(
        daemon.client(), TocBenchmark.copies(dialogues, ROUNDS * copies, ROUNDS * copies));
  }

  @Override
  protected List<Double> measure(BenchDaemon daemon, int number) {
    List<Event> events = TocBenchmark.copies(dialogues, (ROUNDS - 1 - number) * copies, copies);
    Clock clock = Clock.start();
    Sending.stream(daemon.client(), events);
    daemon.awaitToc();
    return List.of(clock.micros() / inRound());
  }
}
