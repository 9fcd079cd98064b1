package dev.agentmemory.engine;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.internal.local.LocalAdmin;
import dev.agentmemory.engine.internal.local.LocalContents;
import dev.agentmemory.engine.internal.local.LocalEventLog;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.engine.internal.local.LocalSessions;
import dev.agentmemory.engine.internal.local.NodeArchive;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.WorkerConfig;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.pipeline.job.DeadLetterRetry;
import dev.agentmemory.pipeline.job.JobThreads;
import dev.agentmemory.pipeline.job.Scheduler;
import dev.agentmemory.search.workspace.IndexFeed;
import dev.agentmemory.search.workspace.IndexRebuild;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.storage.backup.BackupProgress;
import dev.agentmemory.storage.backup.BackupWriter;
import dev.agentmemory.storage.job.Scrub;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.Rollup;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.toc.SegmentFlush;
import dev.agentmemory.toc.SummaryUpgrade;
import dev.agentmemory.toc.TocBuilder;
import dev.agentmemory.toc.TocProjection;
import dev.agentmemory.toc.TocRebuild;
import dev.agentmemory.toc.TocWriter;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocLevel;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A store with everything that works on it by itself.
final class OpenWorkspace implements AutoCloseable {

  private static final int JOB_THREADS = 2;
  private static final int SESSIONS_PAGE = 1000;

  /// Jobs that run all the time.
  private static final Set<String> CONTINUOUS = Set.of(WorkspaceJobs.PROJECTION, IndexFeed.NAME);

  private final MemoryStore store;
  private final JobThreads threads = new JobThreads(JOB_THREADS);
  private final Scheduler scheduler;
  private final OutboxWorker worker;
  private final Ingestor ingestor;
  private final TocBuilder builder;
  private final Rollup rollup;
  private final SegmentFlush flush;
  private final TocRebuild rebuild;
  private final TokenBudget budget;
  private final Optional<SummaryUpgrade> upgrade;
  private final String summarizer;
  private final InstantSource clock;
  private final LocalMemory memory;
  private final NodeArchive history;
  private final Instant startedAt;
  private final WorkspaceSearch search;
  private final Scrub scrub;
  private final Optional<StoreBackup> backup;

  /// @param store is closed with it
  /// @param index folder of its search index
  /// @param backup makes its backups; empty for a store that has no files
  /// @param onProblem hears what has stopped working
  OpenWorkspace(
      InstantSource clock,
      MemoryStore store,
      Path index,
      EngineContext shared,
      Optional<StoreBackup> backup,
      Consumer<String> onProblem) {
    this.clock = clock;
    this.backup = backup;
    this.store = store;
    this.startedAt = shared.startedAt();
    EngineConfig config = shared.config();
    SegmentationConfig segmentation = config.segmentation();
    var writer = new TocWriter(clock, store, shared.model().isPresent(), this::nodesChanged);
    builder =
        new TocBuilder(writer, shared.summarizer(), shared.tokens(), segmentation, shared.mapper());
    rebuild = new TocRebuild(writer, builder, segmentation);
    rollup = new Rollup(writer, shared.summarizer(), shared.mapper());
    flush = new SegmentFlush(writer, builder, segmentation);
    scheduler = new Scheduler(clock, System::nanoTime, new SplittableRandom(), store, threads);
    var jobs = new WorkspaceJobs(scheduler, config.jobs(), config.rollupDebounce());
    var toc = new TocProjection(writer, builder, segmentation);
    worker =
        new OutboxWorker(
            clock, store, projection(store, toc), WorkerConfig.DEFAULT, listener(jobs, onProblem));
    search = new WorkspaceSearch(clock, index, store, shared, jobs);
    jobs.addAll(store, worker, search::durableCursor, flush, rollup, rebuild);
    jobs.add(
        new DeadLetterRetry(
            store, Map.of(TocProjection.NAME, toc::retry, IndexFeed.NAME, search::retry)));
    budget =
        new TokenBudget(
            clock, store.zone(), store, config.summarizer().limits().dailyTokenBudget());
    upgrade =
        shared
            .model()
            .map(model ->
                new SummaryUpgrade(
                    writer,
                    builder,
                    rollup,
                    this::rollsUp,
                    model,
                    budget,
                    // It ends between two nodes, one of which may take its time.
                    config.jobs().timeout().dividedBy(2)));
    upgrade.ifPresent(one -> jobs.add(one, budget::problem));
    scrub =
        new Scrub(
            clock,
            Thread::sleep,
            store,
            config.jobs().scrubPeriod(),
            config.jobs().timeout().dividedBy(2));
    jobs.add(scrub);
    backup.filter(StoreBackup::isScheduled).ifPresent(one -> jobs.add(one, backupFiles(one)));
    summarizer = config.summarizer().name();
    ingestor = new Ingestor(clock, store, config.ingest());
    history = NodeArchive.of(new NodeHistory(writer, node -> jobs.reverted(node.level())));
    memory =
        new LocalMemory(
            ingestor,
            new LocalEventLog(store),
            new LocalContents(
                new TocNavigator(store, store, store, store, shared.tokens()), history),
            search,
            new LocalSessions(store, store, store, new SegmentFinder(store, store)),
            scheduler,
            new LocalAdmin(clock, store, this::report, this::rebuiltToc));
    try {
      start(jobs);
    } catch (RuntimeException | Error e) {
      // What runs already would go on with a store that nobody has open.
      close();
      throw e;
    }
  }

  private void start(WorkspaceJobs jobs) {
    worker.start();
    search.start();
    scheduler.start();
    jobs.started(rebuild.isUnfinished());
    if (scrub.due().filter(due -> !due.isAfter(clock.instant())).isPresent()) {
      jobs.scrubOverdue();
    }
  }

  private StoreBackup.Files backupFiles(StoreBackup one) {
    return one.files(search::linkIndex);
  }

  /// Makes a backup of the store as it is now.
  ///
  /// @throws dev.agentmemory.types.MemoryException saying what went wrong
  BackupWriter.Written backUp(BackupMaker.Run run, boolean withIndex, BackupProgress progress) {
    StoreBackup one = backup.orElseThrow();
    return run.make(one.name(), backupFiles(one), withIndex, progress);
  }

  private void nodesChanged(Set<NodeId> nodes) {
    search.nodesChanged(nodes);
  }

  LocalMemory memory() {
    return memory;
  }

  Ingestor ingestor() {
    return ingestor;
  }

  NodeArchive history() {
    return history;
  }

  WorkspaceSearch search() {
    return search;
  }

  MemoryStore store() {
    return store;
  }

  /// Ends what runs by itself, then closes the store.
  @Override
  public void close() {
    try {
      search.stopRebuild();
      scheduler.close();
      threads.close();
      worker.close();
      search.close();
    } finally {
      store.close();
    }
  }

  /// What the store holds; counts the sessions one by one.
  WorkspaceReport.Content content() {
    long sessions = 0;
    List<Session> page = store.sessions(Optional.empty(), SESSIONS_PAGE);
    while (!page.isEmpty()) {
      sessions += page.size();
      page = store.sessions(Optional.of(page.getLast().id()), SESSIONS_PAGE);
    }
    return new WorkspaceReport.Content(store.stats().events(), sessions);
  }

  /// Whether a job runs at this moment, or events get their vectors.
  boolean isWorking() {
    return search.isEmbedding()
        || scheduler.status().stream()
            .anyMatch(job -> job.running() && !CONTINUOUS.contains(job.name()));
  }

  /// Whether the job backs the store up at this moment. What it has copied is lost when it is
  /// ended.
  boolean isBackedUp() {
    return scheduler.status().stream()
        .anyMatch(job -> job.running() && job.name().equals(StoreBackup.JOB));
  }

  /// When there is work again that no event sets off: now while some is waiting, later when a
  /// session's silence or a period's end will make some; empty when there is none. What is paused
  /// does not count.
  Optional<Instant> due() {
    Set<String> paused =
        scheduler.status().stream()
            .filter(JobStatus::paused)
            .map(JobStatus::name)
            .collect(Collectors.toSet());
    Instant now = clock.instant();
    var dues = new ArrayList<Instant>();
    if (!paused.contains(WorkspaceJobs.PROJECTION) && cursor(store) < store.outboxHead()) {
      dues.add(now);
    }
    if (!paused.contains(IndexFeed.NAME) && search.cursor() < store.outboxHead()) {
      dues.add(now);
    }
    if (!paused.contains(IndexRebuild.NAME) && search.owesRebuild()) {
      dues.add(now);
    }
    if (!paused.contains(WorkspaceJobs.REBUILD) && rebuild.isUnfinished()) {
      dues.add(now);
    }
    if (!paused.contains(WorkspaceJobs.FLUSH)) {
      flush.nextSilence().ifPresent(dues::add);
    }
    for (TocLevel level : TocLevel.PERIODS) {
      if (paused.contains(WorkspaceJobs.rollup(level))) {
        continue;
      }
      (store.dirty(level, 1).isEmpty() ? rollup.nextEnd(level) : Optional.of(now))
          .ifPresent(dues::add);
    }
    if (!paused.contains(SummaryUpgrade.JOB)) {
      upgrade.flatMap(SummaryUpgrade::due).ifPresent(dues::add);
    }
    if (!paused.contains(Scrub.NAME)) {
      scrub.due().ifPresent(dues::add);
    }
    nextBackup().ifPresent(dues::add);
    return dues.stream().min(Comparator.naturalOrder());
  }

  /// When the job will back up what the last backup does not have; empty when it has all events.
  private Optional<Instant> nextBackup() {
    String events = Long.toString(store.stats().events());
    return scheduler.status().stream()
        .filter(job -> job.name().equals(StoreBackup.JOB) && !job.paused())
        .filter(job ->
            job.lastOutcome() != JobStatus.Outcome.SUCCESS
                || !events.equals(job.metadata().get("events")))
        .findFirst()
        .flatMap(JobStatus::nextRun);
  }

  private static long cursor(MemoryStore store) {
    return store.checkpoint(TocProjection.NAME).map(Checkpoint::cursor).orElse(0L);
  }

  private DaemonReport report() {
    StoreStats stats = store.stats();
    long cursor = cursor(store);
    return new DaemonReport(
        stats,
        Map.of(TocProjection.NAME, cursor, IndexFeed.NAME, search.cursor()),
        builder.unsupportedBullets(),
        store.zone(),
        Version.current(),
        startedAt,
        cursor >= stats.outboxHead() && isRolledUp(),
        toldProblems(),
        summarizerReport(),
        ingestor.refusals());
  }

  /// What does not work, and what works to no purpose, such as a model whose answers cannot be
  /// used.
  private List<String> toldProblems() {
    return Stream.concat(problems().stream(), upgrade.flatMap(_ -> budget.problem()).stream())
        .toList();
  }

  /// Whether the rollups of a level are not paused.
  private boolean rollsUp(TocLevel level) {
    return !scheduler.isPaused(WorkspaceJobs.rollup(level));
  }

  private SummarizerReport summarizerReport() {
    return upgrade
        .map(one ->
            new SummarizerReport(
                summarizer,
                Optional.of(new SummarizerReport.Spending(budget.used(), budget.perDay())),
                one.isWaiting(),
                one.waitsFor()))
        .orElse(SummarizerReport.EXTRACTIVE);
  }

  /// Whether no period waits for a rollup. Asked after the cursor and from the bottom up: a mark is
  /// in the same commit as the cursor, or as the clearing of the mark below it, so none can be
  /// missed on its way up. The counters would lag behind the rows.
  private boolean isRolledUp() {
    return TocLevel.PERIODS.stream().allMatch(level -> store.dirty(level, 1).isEmpty());
  }

  /// What does not work now, what cannot be read, and a backup that failed.
  List<String> problems() {
    return Stream.of(
            stoppages().stream(),
            store.notes().stream(),
            damage().stream(),
            failedBackup().stream())
        .flatMap(all -> all)
        .toList();
  }

  /// What does not work now.
  List<String> stoppages() {
    return Stream.concat(outages().stream(), search.problem().stream()).toList();
  }

  /// Rows that cannot be read keep nobody from reading and writing others, so the workspace is
  /// served.
  private Optional<String> damage() {
    DamageReport report = store.damage();
    return report
        .first()
        .map(first ->
            "%s cannot be read: first %s in %s, found %s (%s); run `memory doctor --deep`, which"
                    .formatted(
                        report.count() == 1 ? "one place" : report.count() + " places",
                        first.place(),
                        first.table(),
                        report.since().map(Instant::toString).orElse(""),
                        first.reason())
                + " lists what is lost and what can be rebuilt");
  }

  /// That the last backup failed, of the job or of somebody who asked for it; former ones are kept.
  private Optional<String> failedBackup() {
    return scheduler.status().stream()
        .filter(job -> job.name().equals(StoreBackup.JOB))
        .filter(job -> job.lastOutcome() == JobStatus.Outcome.FAILED)
        .findFirst()
        .map(job -> job.lastError().orElse("see the log"))
        .or(() -> backup.flatMap(StoreBackup::failure))
        .map(why -> "the last backup failed: " + why);
  }

  /// What does not work now and keeps events from being taken in and put in order.
  List<String> outages() {
    return Stream.concat(store.problem().stream(), worker.problem().stream()).distinct().toList();
  }

  private RebuildReport rebuiltToc() {
    Map<String, String> done = scheduler.run(WorkspaceJobs.REBUILD);
    return new RebuildReport(
        Long.parseLong(done.getOrDefault("sessions", "0")),
        Long.parseLong(done.getOrDefault("segments", "0")));
  }

  private static Projection projection(MemoryStore store, TocProjection toc) {
    return new Projection() {
      @Override
      public String name() {
        return TocProjection.NAME;
      }

      @Override
      public long cursor() {
        return OpenWorkspace.cursor(store);
      }

      @Override
      public void passOver(long through) {
        store.commit(Commit.of(Checkpoint.at(TocProjection.NAME, through)));
      }

      @Override
      public int apply(List<OutboxEntry> entries) {
        return toc.apply(entries);
      }
    };
  }

  private static OutboxWorker.Listener listener(WorkspaceJobs jobs, Consumer<String> onProblem) {
    return new OutboxWorker.Listener() {
      @Override
      public void progressed() {
        jobs.progressed();
      }

      @Override
      public void passedOver(long entries) {
        jobs.passedOver();
      }

      @Override
      public void stopped(String problem) {
        onProblem.accept(problem);
      }
    };
  }
}
