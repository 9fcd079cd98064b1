package dev.agentmemory.engine;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.job.DeadLetterRetry;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.pipeline.job.Scheduler;
import dev.agentmemory.search.workspace.IndexFeed;
import dev.agentmemory.search.workspace.IndexRebuild;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobRefused;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.storage.job.IntegrityCheck;
import dev.agentmemory.storage.job.Scrub;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.Rollup;
import dev.agentmemory.toc.SegmentFlush;
import dev.agentmemory.toc.SummaryUpgrade;
import dev.agentmemory.toc.TocProjection;
import dev.agentmemory.toc.TocRebuild;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocLevel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Which jobs there are and what sets them off. The worker pokes what may have become due; each
/// rollup pokes the one above it.
final class WorkspaceJobs {

  static final String PROJECTION = "toc_projection";
  static final String FLUSH = "segment_flush";
  static final String REBUILD = "toc_rebuild";
  static final String DEAD_LETTERS = "dead_letters";

  /// Checks the whole store; clients look for its findings by this name.
  static final String INTEGRITY = "integrity_check";

  /// It reads the whole log, and somebody waits for it who can end it.
  private static final Duration REBUILD_TIMEOUT = Duration.ofDays(1);

  /// Copying goes on at a bounded rate, and each waits for the backups of other workspaces.
  private static final Duration LONGEST_BACKUP = Duration.ofDays(1);

  private static final Duration SAFETY_NET = Duration.ofMinutes(10);

  /// A daemon that starts has better things to do.
  private static final Duration AFTER_START = Duration.ofSeconds(60);

  /// Days have waited for more changes already; what follows from them need not wait again.
  private static final Schedule ABOVE =
      new Schedule.OnPoke(Duration.ofMillis(20), Duration.ofSeconds(1), SAFETY_NET);

  private final Scheduler scheduler;
  private final JobsConfig config;
  private final Duration debounce;

  WorkspaceJobs(Scheduler scheduler, JobsConfig config, Duration debounce) {
    this.scheduler = scheduler;
    this.config = config;
    this.debounce = debounce;
  }

  void addAll(
      MemoryStore store,
      OutboxWorker worker,
      LongSupplier indexed,
      SegmentFlush flush,
      Rollup rollup,
      TocRebuild rebuild) {
    add(PROJECTION, new Schedule.Continuous(pausable(worker)), Map::of);
    add(FLUSH, onPoke(Duration.ofSeconds(60)), () -> flushed(flush));
    for (TocLevel level : TocLevel.PERIODS) {
      Schedule schedule = level == TocLevel.DAY ? onPoke(SAFETY_NET) : ABOVE;
      add(rollup(level), schedule, () -> rolled(rollup, level));
    }
    add("outbox_trim", config.at(config.outboxTrim()), () -> trimmed(store, indexed));
    add("compaction", config.at(config.compaction()), () -> compacted(store));
    var check = new IntegrityCheck(System::nanoTime, Thread::sleep, store);
    add(INTEGRITY, config.at(config.integrityCheck()), check::run);
    scheduler.add(
        new Job(REBUILD, new Schedule.OnRequest(), REBUILD_TIMEOUT, () -> rebuilt(rebuild)));
  }

  /// Reads the files of the store, by itself unless the period is zero.
  void add(Scrub scrub) {
    Duration period = config.scrubPeriod();
    Schedule schedule =
        period.isZero() ? new Schedule.OnRequest() : new Schedule.Every(Scrub.every(period));
    // On request it reads everything, and somebody waits for it who can end it.
    scheduler.add(new Job(Scrub.NAME, schedule, REBUILD_TIMEOUT, scrub));
  }

  /// @param backfill empty when nothing is embedded
  void addSearch(OutboxWorker worker, IndexRebuild rebuild, Optional<Job.Body> backfill) {
    add(IndexFeed.NAME, new Schedule.Continuous(pausable(worker)), Map::of);
    scheduler.add(new Job(IndexRebuild.NAME, new Schedule.OnRequest(), REBUILD_TIMEOUT, rebuild));
    backfill.ifPresent(body -> {
      add(WorkspaceSearch.EMBEDDING, config.at(config.embeddingBackfill()), body);
      scheduler.plan(WorkspaceSearch.EMBEDDING, AFTER_START);
    });
  }

  /// Files were not read in time, because the store was closed.
  void scrubOverdue() {
    scheduler.plan(Scrub.NAME, AFTER_START);
  }

  /// The search index does not hold the whole log.
  void indexIncomplete() {
    scheduler.trigger(IndexRebuild.NAME);
  }

  boolean isPaused(String job) {
    return scheduler.isPaused(job);
  }

  /// Runs a job and waits for it.
  Map<String, String> run(String job) {
    return scheduler.run(job);
  }

  /// @param problem what is the matter with the model's answers, if anything is
  void add(SummaryUpgrade upgrade, Supplier<Optional<String>> problem) {
    add(
        SummaryUpgrade.JOB,
        config.at(config.llmSummaries()),
        new Job.Body() {
          @Override
          public Map<String, String> run() {
            return told(upgrade.run(), problem.get());
          }

          @Override
          public Map<String, String> runOnRequest() {
            return told(upgrade.runNow(), problem.get());
          }
        });
  }

  void add(StoreBackup backup, StoreBackup.Files files) {
    scheduler.add(
        new Job(
            StoreBackup.JOB, config.at(backup.cron()), LONGEST_BACKUP, () -> backup.run(files)));
  }

  private void add(String name, Schedule schedule, Job.Body body) {
    scheduler.add(new Job(name, schedule, config.timeout(), body));
  }

  /// Asked for by a person: what failed for a reason that has gone is tried again.
  void add(DeadLetterRetry retry) {
    add(DEAD_LETTERS, new Schedule.OnRequest(), () -> retried(retry));
  }

  /// The worker could not read what has changed; only all sessions together tell.
  void passedOver() {
    scheduler.trigger(REBUILD);
  }

  /// There are new segments.
  void progressed() {
    scheduler.trigger(rollup(TocLevel.DAY));
    scheduler.trigger(FLUSH);
  }

  /// A node of a level has got other words, so what is above it has to be summarised anew.
  void reverted(TocLevel level) {
    level.parent().ifPresent(above -> scheduler.trigger(rollup(above)));
  }

  /// Nobody knows what a crash has left to do.
  void started(boolean rebuildUnfinished) {
    progressed();
    for (TocLevel level : List.of(TocLevel.WEEK, TocLevel.MONTH, TocLevel.YEAR)) {
      scheduler.trigger(rollup(level));
    }
    if (rebuildUnfinished) {
      scheduler.trigger(REBUILD);
    }
  }

  private Map<String, String> flushed(SegmentFlush flush) {
    int closed = flush.run();
    if (closed > 0) {
      scheduler.trigger(rollup(TocLevel.DAY));
    }
    return Map.of("segments", Integer.toString(closed));
  }

  private Map<String, String> rolled(Rollup rollup, TocLevel level) {
    int nodes = rollup.run(level);
    if (nodes > 0) {
      level.parent().ifPresent(parent -> scheduler.trigger(rollup(parent)));
    }
    return Map.of("nodes", Integer.toString(nodes));
  }

  private Map<String, String> told(SummaryUpgrade.Result result, Optional<String> problem) {
    if (result.upgraded() > 0) {
      TocLevel.PERIODS.forEach(level -> scheduler.trigger(rollup(level)));
    }
    result.halt().filter(SummaryUpgrade.Halt::failure).ifPresent(WorkspaceJobs::fail);
    Map<String, String> did = new HashMap<>();
    did.put("upgraded", Long.toString(result.upgraded()));
    did.put("kept", Long.toString(result.kept()));
    did.put("tokens", Long.toString(result.tokens()));
    result.halt().ifPresent(halt -> did.put(Job.WAITS_FOR, halt.why()));
    problem.ifPresent(sentence -> did.put(JobStatus.PROBLEM, sentence));
    return did;
  }

  /// What was done is in the store; that there is more to do must be seen.
  private static void fail(SummaryUpgrade.Halt halt) {
    if (halt.until().isEmpty()) {
      throw new JobRefused(halt.why());
    }
    throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, halt.why());
  }

  private Map<String, String> rebuilt(TocRebuild rebuild) {
    TocRebuild.Result result = rebuild.run();
    started(/* rebuildUnfinished= */ false);
    return Map.of(
        "sessions", Long.toString(result.sessions()),
        "segments", Long.toString(result.segments()));
  }

  private static Map<String, String> compacted(MemoryStore store) {
    store.compact();
    return Map.of("disk_bytes", Long.toString(store.stats().diskBytes()));
  }

  private Map<String, String> retried(DeadLetterRetry retry) {
    DeadLetterRetry.Result result = retry.run();
    progressed();
    return Map.of(
        "applied", Long.toString(result.applied()),
        "kept", Long.toString(result.kept()));
  }

  /// Up to where the slower one of the table of contents and the search index has come.
  private static Map<String, String> trimmed(MemoryStore store, LongSupplier indexed) {
    long toc = store.checkpoint(TocProjection.NAME).map(Checkpoint::cursor).orElse(0L);
    long cursor = Math.min(toc, indexed.getAsLong());
    long tail = store.stats().outboxTail();
    if (tail > cursor) {
      return Map.of("entries", "0");
    }
    store.commit(Commit.of(new Change.TrimOutbox(cursor)));
    return Map.of("entries", Long.toString(cursor - tail + 1));
  }

  private Schedule onPoke(Duration every) {
    return new Schedule.OnPoke(debounce, debounce.multipliedBy(10), every);
  }

  private static Schedule.Pausable pausable(OutboxWorker worker) {
    return new Schedule.Pausable() {
      @Override
      public void pause() {
        worker.pause();
      }

      @Override
      public void resume() {
        worker.resume();
      }
    };
  }

  static String rollup(TocLevel level) {
    return switch (level) {
      case DAY -> "toc_rollup_day";
      case WEEK -> "toc_rollup_week";
      case MONTH -> "toc_rollup_month";
      case YEAR -> "toc_rollup_year";
      case SEGMENT -> throw new IllegalArgumentException("segments are not rolled up");
    };
  }
}
