package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.compare.DaemonComparison;
import dev.agentmemory.bench.daemon.AnonymousMemory;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import java.util.List;

/// Peak anonymous memory of a daemon with a small heap and the default settings: it embeds a few
/// events, so that the model is loaded, and stores others, which it does not embed.
final class MemoryComparison implements Comparison {

  private static final int ROUNDS = 8;
  private static final int ROUND = 2_500;
  private static final int EMBEDDED = 400;
  private static final String NAME = "memory";

  private final int inRound = Integer.getInteger("events", ROUNDS * ROUND) / ROUNDS;

  @Override
  public List<Figure> figures() {
    return List.of(new Figure("peak anonymous memory", "MiB", End.LOWER_END, Figure.LOWER_END_BAR));
  }

  @Override
  public int rounds() {
    return ROUNDS;
  }

  @Override
  public Run begin(Site site) {
    BenchDaemon daemon = site.daemon(NAME, List.of(MemoryBenchmark.HEAP));
    AnonymousMemory memory = AnonymousMemory.watch(daemon.pid());
    var _ = Years.ingest(daemon, Years.batch(0, EMBEDDED));
    daemon.awaitIndexed(daemon.client(), EMBEDDED);
    daemon.awaitEmbedded(daemon.client());
    daemon.client().jobs().pause(Workers.EMBEDDING);
    DaemonComparison.pause(daemon.client().jobs());
    Years.fill(daemon, ROUNDS * inRound);
    return new Storing(site, daemon, memory);
  }

  private final class Storing implements Run {

    private final Site site;
    private final BenchDaemon daemon;
    private final AnonymousMemory memory;

    Storing(Site site, BenchDaemon daemon, AnonymousMemory memory) {
      this.site = site;
      this.daemon = daemon;
      this.memory = memory;
    }

    @Override
    public void round(int number) {
      var _ = Years.ingest(daemon, Years.batch(number + 1, inRound));
      daemon.awaitIndexed();
    }

    @Override
    public List<Double> costs() {
      return List.of(memory.peakMiB());
    }

    @Override
    public void close() {
      memory.close();
      daemon.close();
      Trees.delete(site.path(NAME));
    }
  }
}
