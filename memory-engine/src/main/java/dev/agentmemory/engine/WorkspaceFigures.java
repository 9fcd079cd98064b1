package dev.agentmemory.engine;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.metrics.Occurrence;
import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.pipeline.job.Scheduler;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.measure.CacheUse;
import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.toc.TocProjection;
import dev.agentmemory.toc.segment.TokenBudget;
import java.util.HashMap;
import java.util.Map;

/// Reads what the parts of an open workspace know of themselves. It reads no table, except for the
/// ledger once a day.
record WorkspaceFigures(
    MemoryStore store,
    Ingestor ingestor,
    OutboxWorker toc,
    OutboxWorker index,
    Scheduler scheduler,
    WorkspaceSearch search,
    StoreRecall recall,
    TokenBudget budget) {

  private static final String BLOCKS = "blocks";
  private static final String CONVERSATIONS = "conversations";

  /// Its state.
  ///
  /// @param name of the workspace, or of the store that several share
  WorkspaceMetrics state(String name) {
    // First, because it does not wait while the store is being reopened.
    StorageFigures storage = store.figures();
    StoreStats stats = store.stats();
    WorkspaceMetrics.Lag ofToc = lag(toc);
    WorkspaceMetrics.Lag ofIndex = lag(index);
    return new WorkspaceMetrics(
        name,
        new WorkspaceMetrics.Size(
            stats.events(),
            ingestor.activeSessions(),
            recall.memories(),
            stats.diskBytes(),
            search.bytes()),
        new WorkspaceMetrics.Progress(
            ofToc,
            ofIndex,
            Map.of(TocProjection.NAME, ofToc, WorkspaceSearch.PROJECTION, ofIndex),
            stats.dirtyNodes(),
            stats.deadLetters()),
        budget.used(),
        storage);
  }

  private static WorkspaceMetrics.Lag lag(OutboxWorker worker) {
    return new WorkspaceMetrics.Lag(worker.behind(), worker.delay());
  }

  /// What it has counted since it was opened, and its jobs since the store was created.
  Map<OccurrenceKey, Long> occurrences() {
    Map<OccurrenceKey, Long> counts = new HashMap<>();
    StorageFigures storage = store.figures();
    counts.put(OccurrenceKey.of(Occurrence.FILES_MERGED), storage.compactions());
    counts.put(OccurrenceKey.of(Occurrence.SESSION_COMPACTED), recall.compactions());
    counts.put(OccurrenceKey.of(Occurrence.DAMAGE_FOUND), store.damage().count());
    putCache(counts, BLOCKS, storage.blocks());
    putCache(counts, CONVERSATIONS, recall.cacheUse());
    putCalls(counts, budget.counted());
    scheduler.status().forEach(job -> putRuns(counts, job));
    return counts;
  }

  /// Adds the use of a cache.
  static void putCache(Map<OccurrenceKey, Long> counts, String cache, CacheUse use) {
    counts.put(new OccurrenceKey(Occurrence.CACHE_HIT, cache), use.hits());
    counts.put(new OccurrenceKey(Occurrence.CACHE_MISS, cache), use.misses());
  }

  private static void putCalls(Map<OccurrenceKey, Long> counts, ModelUsage.Sums calls) {
    long succeeded = calls.calls() - calls.failedCalls();
    counts.put(OccurrenceKey.of(Occurrence.MODEL_CALL_SUCCEEDED), succeeded);
    counts.put(OccurrenceKey.of(Occurrence.MODEL_CALL_FAILED), calls.failedCalls());
    counts.put(OccurrenceKey.of(Occurrence.INPUT_TOKEN), calls.inputTokens());
    counts.put(OccurrenceKey.of(Occurrence.OUTPUT_TOKEN), calls.outputTokens());
  }

  private static void putRuns(Map<OccurrenceKey, Long> counts, JobStatus job) {
    String name = job.name();
    counts.put(new OccurrenceKey(Occurrence.JOB_SUCCEEDED, name), job.runs() - job.errors());
    counts.put(new OccurrenceKey(Occurrence.JOB_FAILED, name), job.errors());
    counts.put(new OccurrenceKey(Occurrence.JOB_SKIPPED, name), job.skips());
  }
}
