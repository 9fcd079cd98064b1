package dev.agentmemory.storage.measure;

import dev.agentmemory.spi.Ticker;
import dev.agentmemory.spi.measure.Distribution;
import java.util.concurrent.atomic.LongAdder;

/// What is measured of commits: of all stores that have this object. Any thread may use it.
public final class CommitFigures {

  private final Ticker ticker;
  private final Distribution durations = Distribution.ofMicros();
  private final Distribution syncs = Distribution.ofMicros();
  private final Distribution groups = new Distribution(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024);
  private final LongAdder waited = new LongAdder();
  private final LongAdder refused = new LongAdder();

  public CommitFigures(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Figures of a store whose commits nobody measures: every duration is 0.
  public static CommitFigures untimed() {
    return new CommitFigures(() -> 0);
  }

  /// The time, for [#acknowledged] and [#synced].
  public long nanos() {
    return ticker.nanos();
  }

  /// A commit was acknowledged.
  ///
  /// @param begun when it was handed to the store
  public void acknowledged(long begun) {
    durations.addNanos(ticker.nanos() - begun);
  }

  /// The log was synced.
  ///
  /// @param begun when the sync began
  public void synced(long begun) {
    syncs.addNanos(ticker.nanos() - begun);
  }

  /// A group is written.
  ///
  /// @param commits how many it has
  public void grouped(int commits) {
    groups.add(commits);
  }

  /// A commit has to wait for another one that is written or waits.
  public void waits() {
    waited.increment();
  }

  /// A commit was refused, because too much waits.
  public void refuses() {
    refused.increment();
  }

  /// Microseconds from the call to the acknowledgement.
  public Distribution.Counts durations() {
    return durations.counts();
  }

  /// Microseconds of the syncs of the log.
  public Distribution.Counts syncs() {
    return syncs.counts();
  }

  /// Commits that were written and synced together.
  public Distribution.Counts groups() {
    return groups.counts();
  }

  /// How many commits had to wait for others.
  public long waited() {
    return waited.sum();
  }

  /// How many commits were refused.
  public long refused() {
    return refused.sum();
  }
}
