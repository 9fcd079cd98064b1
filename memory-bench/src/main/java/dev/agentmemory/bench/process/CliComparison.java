package dev.agentmemory.bench.process;

import dev.agentmemory.bench.compare.Comparison;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.ProcessorTime;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import java.util.ArrayList;
import java.util.List;

/// `memory status` and `memory ingest -` of one event, whole commands with their launcher.
/// Processor time is that of the commands' processes.
final class CliComparison implements Comparison {

  private static final int ROUNDS = 12;
  private static final int WARM_UP = 3;
  private static final int IN_ROUND = 2;

  @Override
  public List<Figure> figures() {
    return Figure.times("command");
  }

  @Override
  public int rounds() {
    return ROUNDS;
  }

  @Override
  public Run begin(Site site) throws Exception {
    BenchDaemon daemon = site.daemon(CliBenchmark.DATA, Site.WITHOUT_EMBEDDINGS);
    daemon.awaitToc();
    for (int round = -WARM_UP; round < 0; round++) {
      var _ = CliBenchmark.statusMillis(site);
      var _ = CliBenchmark.ingestMillis(site, round);
    }
    return new CommandRun(site, daemon);
  }

  private static final class CommandRun implements Run {

    private final Site site;
    private final BenchDaemon daemon;
    private final List<Double> processor = new ArrayList<>();
    private final List<Double> waited = new ArrayList<>();

    CommandRun(Site site, BenchDaemon daemon) {
      this.site = site;
      this.daemon = daemon;
    }

    @Override
    public void round(int number) throws Exception {
      double before = ProcessorTime.endedChildrenMicros();
      double millis = CliBenchmark.statusMillis(site) + CliBenchmark.ingestMillis(site, number);
      processor.add((ProcessorTime.endedChildrenMicros() - before) / IN_ROUND);
      waited.add(millis * 1000 / IN_ROUND);
    }

    /// The mean of the processor times, which are in steps of 10 ms.
    @Override
    public List<Double> costs() {
      double mean = processor.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      return List.of(mean, new Measured(waited).median());
    }

    @Override
    public void close() {
      daemon.close();
      Trees.delete(site.path(CliBenchmark.DATA));
    }
  }
}
