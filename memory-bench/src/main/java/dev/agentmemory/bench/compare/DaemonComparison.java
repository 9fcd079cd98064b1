package dev.agentmemory.bench.compare;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.ProcessorTime;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import java.util.ArrayList;
import java.util.List;

/// The shape of most comparisons: a fresh daemon is warmed up and gets calls in rounds. Processor
/// time is that of the daemon from the end of the warm-up on, until everything is in the table of
/// contents and in the index. The time waited is the median of what the rounds have measured.
public abstract class DaemonComparison implements Comparison {

  private final String name;
  private final String unit;
  private final int rounds;

  /// @param name of the data directory
  /// @param unit what the costs are for, such as `event`
  protected DaemonComparison(String name, String unit, int rounds) {
    this.name = name;
    this.unit = unit;
    this.rounds = rounds;
  }

  /// How many units a round has.
  protected abstract int inRound();

  /// Does so many calls that most of the daemon's code is compiled.
  protected abstract void warmUp(BenchDaemon daemon) throws Exception;

  /// Makes the calls of a round.
  ///
  /// @param number from 0 on
  /// @return microseconds that a unit was waited for: one value for each unit or one for all
  protected abstract List<Double> measure(BenchDaemon daemon, int number) throws Exception;

  @Override
  public final List<Figure> figures() {
    return Figure.times(unit);
  }

  @Override
  public final int rounds() {
    return rounds;
  }

  @Override
  public final Run begin(Site site) throws Exception {
    BenchDaemon daemon = start(site);
    pause(daemon.client().jobs());
    warmUp(daemon);
    settle(daemon);
    return new Rounds(site, daemon);
  }

  /// Starts the daemon that is measured.
  protected BenchDaemon start(Site site) {
    return site.daemon(name, Site.WITHOUT_EMBEDDINGS);
  }

  /// Pauses those of the jobs of `-Dpaused=NAME,...` that the daemon has: what a former package
  /// does not do cannot be compared with it.
  public static void pause(Jobs jobs) {
    List<String> paused = List.of(System.getProperty("paused", "").split(","));
    jobs.list().jobs().stream().map(JobStatus::name).filter(paused::contains).forEach(jobs::pause);
  }

  /// Deletes what the daemon has stored.
  protected void discard(Site site) {
    Trees.delete(site.path(name));
  }

  /// Waits until the daemon has nothing left to do.
  protected static void settle(BenchDaemon daemon) {
    daemon.awaitToc();
    daemon.awaitIndexed();
  }

  private final class Rounds implements Run {

    private final Site site;
    private final BenchDaemon daemon;
    private final ProcessorTime processor;
    private final List<Double> waited = new ArrayList<>();
    private int units;

    Rounds(Site site, BenchDaemon daemon) {
      this.site = site;
      this.daemon = daemon;
      this.processor = ProcessorTime.since(daemon.pid());
    }

    @Override
    public void round(int number) throws Exception {
      waited.addAll(measure(daemon, number));
      units += inRound();
      settle(daemon);
    }

    @Override
    public List<Double> costs() {
      return List.of(processor.micros() / units, new Measured(waited).median());
    }

    @Override
    public void close() {
      daemon.close();
      discard(site);
    }
  }
}
