package dev.agentmemory.engine;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.metrics.WorkspaceMetrics;
import dev.agentmemory.engine.backup.BackupMaker;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.internal.erase.FileErasure;
import dev.agentmemory.engine.internal.erase.RetentionJob;
import dev.agentmemory.engine.internal.erase.StoreErasure;
import dev.agentmemory.engine.internal.erase.VisibleHistory;
import dev.agentmemory.engine.internal.erase.VisibleStore;
import dev.agentmemory.engine.internal.erase.Withheld;
import dev.agentmemory.engine.internal.local.LocalAdmin;
import dev.agentmemory.engine.internal.local.LocalContents;
import dev.agentmemory.engine.internal.local.LocalEventLog;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.engine.internal.local.LocalSessions;
import dev.agentmemory.engine.internal.measure.EngineMeasures;
import dev.agentmemory.engine.internal.measure.OccurrenceTotals;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.engine.internal.scrub.SecretScrub;
import dev.agentmemory.engine.offline.Replacement;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.WorkerConfig;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.pipeline.job.DeadLetterRetry;
import dev.agentmemory.pipeline.job.JobThreads;
import dev.agentmemory.pipeline.job.JobsConfig;
import dev.agentmemory.pipeline.job.OutboxTrim;
import dev.agentmemory.pipeline.job.Scheduler;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.storage.job.StoreJobs;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.toc.ContentsErasure;
import dev.agentmemory.toc.CurrentContents;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.Rollup;
import dev.agentmemory.toc.SummaryUpgrade;
import dev.agentmemory.toc.TocBuilder;
import dev.agentmemory.toc.TocJobs;
import dev.agentmemory.toc.TocProjection;
import dev.agentmemory.toc.TocWriter;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// A store with everything that works on it by itself.
final class OpenWorkspace implements AutoCloseable {

  private static final int JOB_THREADS = 2;
  private static final int SESSIONS_PAGE = 1000;

  private static final String WAITS =
      "an import; the table of contents, the index and the jobs go on %d s after its last events, and"
              .formatted(ImportDeferral.SILENCE.toSeconds())
          + " %d s after its start in any case".formatted(ImportDeferral.LONGEST.toSeconds());

  /// Copying goes on at a bounded rate, and each waits for the backups of other workspaces.
  private static final Duration LONGEST_BACKUP = Duration.ofDays(1);

  private final InstantSource clock;
  private final MemoryStore store;
  private final JobThreads threads = new JobThreads(JOB_THREADS);
  private final ImportDeferral deferral;
  private final Scheduler scheduler;
  private final OutboxWorker worker;
  private final OutboxWorker indexWorker;
  private final Ingestor ingestor;
  private final TocBuilder builder;
  private final StoreReader stored;
  private final StoreReader contents;
  private final TocProjection projection;
  private final Optional<SummaryUpgrade> upgrade;
  private final String summarizer;
  private final LocalMemory memory;
  private final NodeArchive history;
  private final EngineMeasures measures;
  private final WorkspaceFigures figures;
  private final OccurrenceTotals.Source occurrences;
  private final String name;
  private final WorkspaceSearch search;
  private final StoreRecall recall;
  private final SecretScrub scrub;
  private final StoreErasure erasure;
  private final Ownership ownership;
  private final Optional<StoreBackup> backup;

  /// @param store is closed with it
  /// @param index folder of its search index
  /// @param only the workspace; empty when several share the store
  /// @param ownership whether the store is still this process's
  /// @param backup makes its backups; empty for a store that has no files
  /// @param onProblem receives what has stopped working
  OpenWorkspace(
      SystemServices system,
      MemoryStore store,
      Path index,
      EngineContext shared,
      Optional<WorkspaceName> only,
      Ownership ownership,
      Optional<StoreBackup> backup,
      Consumer<String> onProblem) {
    this.clock = system.clock();
    this.ownership = ownership;
    this.backup = backup;
    this.store = store;
    this.measures = shared.measures();
    this.name = only.map(WorkspaceName::value).orElse(WorkspaceFactory.SHARED);
    EngineConfig config = shared.config();
    SegmentationConfig segmentation = config.segmentation();
    deferral = new ImportDeferral(shared.imports());
    scheduler = new Scheduler(clock, system.ticker(), system.random(), store, threads, deferral);
    var withheld = new Withheld();
    stored = new VisibleStore(store, withheld);
    search =
        new WorkspaceSearch(
            system, scheduler, index, store, stored, shared.embedding(), shared.tokens()::count);
    var budget =
        new TokenBudget(
            clock, store.zone(), store.ledger(), config.summarizer().limits().dailyTokenBudget());
    var writer = new TocWriter(clock, store, shared.model().isPresent(), this::nodesChanged);
    builder =
        new TocBuilder(writer, shared.summarizer(), shared.tokens(), segmentation, shared.mapper());
    var current = new CurrentContents(store, builder);
    contents = new VisibleStore(current, withheld);
    recall =
        new StoreRecall(shared.recall(), store, current, contents, index, only, scheduler, budget);
    search.alsoEmbed(recall.embedding());
    var rollup = new Rollup(writer, shared.summarizer(), shared.mapper());
    var toc = new TocJobs(scheduler, writer, builder, rollup, segmentation);
    projection = new TocProjection(writer, builder, segmentation);
    var turn = new Mutex();
    worker =
        new OutboxWorker(
            clock,
            store,
            projection,
            WorkerConfig.DEFAULT,
            deferral,
            turn,
            new TocListener(toc, onProblem));
    indexWorker =
        new OutboxWorker(
            clock,
            store,
            search.projection(),
            WorkerConfig.DEFAULT,
            deferral,
            turn,
            new IndexListener(search));
    // It ends between two nodes, one of which may take its time.
    Duration longest = config.jobs().timeout().dividedBy(2);
    upgrade = shared.model().map(model -> toc.upgrade(system.random(), model, budget, longest));
    var maintenance =
        new StoreJobs(system, store, config.jobs().scrubPeriod(), config.jobs().timeout());
    scrub = new SecretScrub(store, config.ingest(), scheduler, writer, search, recall);
    scheduler.add(scrub.job());
    erasure =
        new StoreErasure(
            system,
            store,
            scheduler,
            scheduler,
            new ContentsErasure(writer, builder, rollup),
            search,
            recall,
            withheld,
            () -> backup.map(StoreBackup::folders).orElse(List.of()),
            () -> backup.map(one -> one.madeBefore(clock.instant())).orElse(List.of()),
            new FileErasure(
                shared.files(),
                store,
                only,
                () -> Replacement.kept(config.data(), config.db(), name)));
    scheduler.add(erasure.job());
    if (!config.retention().isForever()) {
      scheduler.add(
          new RetentionJob(system, store, erasure, scheduler, recall::owners, config.retention())
              .job(config.jobs().at(config.retention().cron())));
    }
    addJobs(config, toc, maintenance);
    summarizer = config.summarizer().name();
    ingestor = new Ingestor(clock, store, config.ingest(), deferral, measures.ingest());
    history = new VisibleHistory(new NodeHistory(writer, toc::reverted), withheld);
    memory =
        new LocalMemory(
            ingestor,
            new LocalEventLog(stored.events()),
            new LocalContents(new TocNavigator(contents, shared.tokens()), history),
            measures.timed(search),
            new LocalSessions(stored),
            measures.timed(recall.recall(ingestor)),
            scheduler,
            new LocalAdmin(
                clock, store, this::report, this::rebuiltToc, scrub::scrub, erasing(only)));
    search.useMemories(recall.source());
    figures =
        new WorkspaceFigures(
            store, ingestor, worker, indexWorker, scheduler, search, recall, budget);
    occurrences = measures.totals().source(figures::occurrences);
    try {
      start(toc, maintenance);
    } catch (RuntimeException | Error e) {
      // Running work would otherwise continue on a closed store.
      close();
      throw e;
    }
  }

  /// In a store that workspaces share, a caller has to name the one that it means.
  private LocalAdmin.Erasing erasing(Optional<WorkspaceName> only) {
    return new LocalAdmin.Erasing() {
      @Override
      public ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait) {
        checkNamed();
        return erasure.forget(Optional.empty(), what, dryRun, wait);
      }

      @Override
      public ForgetPreview preview(Forgetting what, String mention) {
        checkNamed();
        return erasure.preview(Optional.empty(), what, mention);
      }

      private void checkNamed() {
        if (only.isEmpty()) {
          throw MemoryException.invalid(
              SharedMemory.WORKSPACE,
              "is missing; workspaces share a store (multi_agent_mode = unified), so name the one"
                  + " that has to forget");
        }
      }
    };
  }

  /// Erases what one of several workspaces has.
  StoreErasure erasure() {
    return erasure;
  }

  private void nodesChanged(Set<NodeId> nodes) {
    search.nodesChanged(nodes);
    recall.nodesChanged(nodes);
  }

  private void addJobs(EngineConfig config, TocJobs toc, StoreJobs maintenance) {
    JobsConfig times = config.jobs();
    Duration timeout = times.timeout();
    var trim = new OutboxTrim(store, List.of(projection::cursor, search::durableCursor));
    var retry =
        new DeadLetterRetry(
            store,
            Map.of(
                TocProjection.NAME, projection::retry, WorkspaceSearch.PROJECTION, search::retry));
    Stream.of(
            toc.jobs(worker, config.rollupDebounce(), timeout),
            search.jobs(
                indexWorker,
                times.at(times.embeddingBackfill()),
                times.at(times.searchCalibration()),
                timeout),
            maintenance.jobs(times.at(times.compaction()), times.at(times.integrityCheck())),
            recall.jobs(times.at(times.consolidation()), timeout),
            List.of(
                trim.job(times.at(times.outboxTrim()), timeout),
                retry.job(timeout, toc::progressed)))
        .flatMap(List::stream)
        .forEach(scheduler::add);
    upgrade.ifPresent(
        one -> scheduler.add(toc.summaries(one, times.at(times.llmSummaries()), timeout)));
    backup
        .filter(StoreBackup::isScheduled)
        .ifPresent(one -> scheduler.add(backupJob(one, times.at(one.cron()))));
  }

  private void start(TocJobs toc, StoreJobs maintenance) {
    // Nothing is served before what was decided to go is gone.
    erasure.resume();
    worker.start();
    indexWorker.start();
    search.start();
    recall.start();
    scheduler.start();
    toc.start();
    erasure.start();
    maintenance.start(scheduler);
  }

  /// Erases what was forgotten after the backup from which the store was restored.
  ///
  /// @param file what was forgotten
  void forgetAgain(Path file) {
    erasure.forgetAgain(file);
  }

  private Job backupJob(StoreBackup one, Schedule schedule) {
    return new Job(
        StoreBackup.JOB,
        schedule,
        LONGEST_BACKUP,
        () -> one.run(backupFiles(one)),
        this::nextBackup);
  }

  private StoreBackup.Files backupFiles(StoreBackup one) {
    return one.files(search::linkIndex, erasure::noteForgotten);
  }

  /// Makes a backup of the store as it is now.
  ///
  /// @throws dev.agentmemory.types.MemoryException saying what went wrong
  BackupWriter.Written backUp(BackupMaker.Run run, boolean withIndex, BackupProgress progress) {
    StoreBackup one = backup.orElseThrow();
    return run.make(one.name(), backupFiles(one), withIndex, progress);
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

  StoreRecall recall() {
    return recall;
  }

  /// What answers may have of the store, open segments with their digests of now.
  StoreReader contents() {
    return contents;
  }

  /// What answers may have of the store, as it is stored.
  StoreReader stored() {
    return stored;
  }

  MemoryStore store() {
    return store;
  }

  /// Ends what runs by itself, then closes the store.
  @Override
  public void close() {
    try {
      search.stopJobs();
      scheduler.close();
      threads.close();
      worker.close();
      indexWorker.close();
      recall.close();
      search.close();
      // The sums of all workspaces keep what this one has counted.
      occurrences.readLast();
    } finally {
      store.close();
    }
  }

  /// Its state, after what it has counted was added to the sums of all workspaces.
  WorkspaceMetrics metrics() {
    occurrences.read();
    return figures.state(name);
  }

  EngineMeasures measures() {
    return measures;
  }

  /// What the store holds; counts the sessions one by one.
  WorkspaceReport.Content content() {
    long sessions = 0;
    List<Session> page = store.sessions().sessions(Optional.empty(), SESSIONS_PAGE);
    while (!page.isEmpty()) {
      sessions += page.size();
      page = store.sessions().sessions(Optional.of(page.getLast().id()), SESSIONS_PAGE);
    }
    return new WorkspaceReport.Content(store.stats().events(), sessions);
  }

  /// Whether a job runs at this moment, or events get their vectors.
  boolean isWorking() {
    return search.isEmbedding() || scheduler.isWorking();
  }

  /// Whether the store is still this process's.
  Ownership ownership() {
    return ownership;
  }

  /// Whether the job backs the store up at this moment. What it has copied is lost when it is
  /// ended.
  boolean isBackedUp() {
    return backupStatus().filter(JobStatus::running).isPresent();
  }

  /// When there is work again that no event sets off: now while some is waiting, later when a
  /// session's silence or a period's end will make some; empty when there is none. What is paused
  /// does not count.
  Optional<Instant> due() {
    return scheduler.due();
  }

  /// When the job will back up what the last backup does not have; empty when it has all events.
  private Optional<Instant> nextBackup() {
    String events = Long.toString(store.stats().events());
    return backupStatus()
        .filter(job ->
            job.lastOutcome() != JobStatus.Outcome.SUCCESS
                || !events.equals(job.metadata().get("events")))
        .flatMap(JobStatus::nextRun);
  }

  private Optional<JobStatus> backupStatus() {
    return scheduler.status().stream()
        .filter(job -> job.name().equals(StoreBackup.JOB))
        .findFirst();
  }

  private DaemonReport report() {
    StoreStats stats = store.stats();
    long cursor = projection.cursor();
    return new DaemonReport(
        stats,
        Map.of(TocProjection.NAME, cursor, WorkspaceSearch.PROJECTION, search.cursor()),
        builder.unsupportedBullets(),
        store.zone(),
        Version.current(),
        measures.startedAt(),
        cursor >= stats.outboxHead() && isRolledUp(),
        toldProblems(),
        upgrade.map(one -> one.report(summarizer)).orElse(SummarizerReport.EXTRACTIVE),
        ingestor.refusals(),
        GatewayReport.NONE,
        deferral.left().isZero() ? Optional.empty() : Optional.of(WAITS));
  }

  /// What does not work, and what works to no purpose, such as a model whose answers cannot be
  /// used.
  private List<String> toldProblems() {
    return Stream.of(
            problems().stream(),
            upgrade.flatMap(SummaryUpgrade::problem).stream(),
            recall.modelProblem().stream(),
            scrub.problem().stream(),
            erasure.problem().stream())
        .flatMap(all -> all)
        .toList();
  }

  /// Whether no open segment waits for its digest and no period for a rollup. Asked after the
  /// cursor and from the bottom up: a mark is in the same commit as the cursor, or as the clearing
  /// of the mark below it, so none can be missed on its way up. The counters would lag behind the
  /// rows.
  private boolean isRolledUp() {
    return Stream.concat(Stream.of(TocLevel.SEGMENT), TocLevel.PERIODS.stream())
        .allMatch(level -> store.toc().dirty(level, 1).isEmpty());
  }

  /// What does not work now, what cannot be read, and a backup that failed.
  List<String> problems() {
    return Stream.of(
            stoppages().stream(),
            store.notes().stream(),
            damage().stream(),
            recall.problems().stream(),
            failedBackup().stream())
        .flatMap(all -> all)
        .toList();
  }

  /// What does not work now.
  List<String> stoppages() {
    return Stream.concat(outages().stream(), indexWorker.problem().stream()).toList();
  }

  /// Unreadable rows do not prevent reading and writing other rows, so the workspace is served.
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

  /// Reports that the last scheduled or requested backup failed; earlier ones are kept.
  private Optional<String> failedBackup() {
    return backupStatus()
        .filter(job -> job.lastOutcome() == JobStatus.Outcome.FAILED)
        .map(job -> job.lastError().orElse("see the log"))
        .or(() -> backup.flatMap(StoreBackup::failure))
        .map(why -> "the last backup failed: " + why);
  }

  /// What does not work now and keeps events from being taken in and put in order.
  List<String> outages() {
    return Stream.concat(store.problem().stream(), worker.problem().stream()).distinct().toList();
  }

  private RebuildReport rebuiltToc() {
    Map<String, String> done = scheduler.run(TocJobs.REBUILD);
    return new RebuildReport(
        Long.parseLong(done.getOrDefault("sessions", "0")),
        Long.parseLong(done.getOrDefault("segments", "0")));
  }

  private record TocListener(TocJobs jobs, Consumer<String> onProblem)
      implements OutboxWorker.Listener {

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
  }

  /// That its worker has stopped is in the log, and in [#stoppages]: what can be found does not
  /// decide whether the daemon serves.
  private record IndexListener(WorkspaceSearch search) implements OutboxWorker.Listener {

    @Override
    public void passedOver(long entries) {
      search.passedOver();
    }
  }
}
