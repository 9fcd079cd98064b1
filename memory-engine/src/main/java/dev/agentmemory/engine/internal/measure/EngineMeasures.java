package dev.agentmemory.engine.internal.measure;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.Search;
import dev.agentmemory.api.metrics.IngestMetrics;
import dev.agentmemory.api.metrics.WriteMetrics;
import dev.agentmemory.pipeline.ingest.IngestFigures;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.spi.measure.Distribution;
import dev.agentmemory.storage.measure.CommitFigures;
import java.time.Instant;
import java.util.function.Supplier;

/// What is measured of all workspaces together, so that it does not begin again when one of them is
/// closed.
public final class EngineMeasures {

  private final Ticker ticker;
  private final Instant startedAt;
  private final CommitFigures commits;
  private final IngestFigures ingest;
  private final Distribution queries = Distribution.ofMicros();
  private final OccurrenceTotals totals = new OccurrenceTotals();

  public EngineMeasures(SystemServices system) {
    this.ticker = system.ticker();
    this.startedAt = system.now();
    this.commits = new CommitFigures(ticker);
    this.ingest = new IngestFigures(ticker);
  }

  /// When the engine was opened.
  public Instant startedAt() {
    return startedAt;
  }

  /// For the stores.
  public CommitFigures commits() {
    return commits;
  }

  /// For what takes events.
  public IngestFigures ingest() {
    return ingest;
  }

  /// Sums of what the workspaces count themselves.
  public OccurrenceTotals totals() {
    return totals;
  }

  /// Measures the searches of events.
  public Search timed(Search search) {
    return new TimedSearch(search, this);
  }

  /// Measures the searches of memories.
  public Recall timed(Recall recall) {
    return new TimedRecall(recall, new TimedMemories(recall.memories(), this));
  }

  <T> T query(Supplier<T> work) {
    long begun = ticker.nanos();
    try {
      return work.get();
    } finally {
      queries.addNanos(ticker.nanos() - begun);
    }
  }

  public WriteMetrics writes() {
    return new WriteMetrics(
        commits.durations(),
        commits.groups(),
        commits.syncs(),
        commits.waited(),
        commits.refused());
  }

  public IngestMetrics ingested() {
    return new IngestMetrics(ingest.durations(), ingest.stored(), ingest.known(), ingest.refused());
  }

  /// Microseconds of searches.
  public Distribution.Counts queries() {
    return queries.counts();
  }
}
