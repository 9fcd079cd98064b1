package dev.agentmemory.daemon;

import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.Version;
import dev.agentmemory.pipeline.DeadLetterRetry;
import dev.agentmemory.pipeline.Ingestor;
import dev.agentmemory.pipeline.OutboxWorker;
import dev.agentmemory.pipeline.Projection;
import dev.agentmemory.pipeline.Scheduler;
import dev.agentmemory.pipeline.WorkerConfig;
import dev.agentmemory.service.Services;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.DaemonReport;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.RebuildReport;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.toc.Crew;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.Rollup;
import dev.agentmemory.toc.SegmentFlush;
import dev.agentmemory.toc.SegmentationConfig;
import dev.agentmemory.toc.TocBuilder;
import dev.agentmemory.toc.TocDesk;
import dev.agentmemory.toc.TocNavigator;
import dev.agentmemory.toc.TocProjection;
import dev.agentmemory.toc.TocRebuild;
import dev.agentmemory.toc.TokenCounter;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Everything that works on a store by itself.
final class OpenWorkspace implements AutoCloseable {

  private static final int JOB_THREADS = 2;

  private final MemoryStore store;
  private final Scheduler scheduler;
  private final OutboxWorker worker;
  private final TocBuilder builder;
  private final Services services;
  private final Instant startedAt;

  /// @param onProblem hears what has stopped working
  OpenWorkspace(
      InstantSource clock,
      MemoryStore store,
      DaemonConfig config,
      TokenCounter tokens,
      Summarizer summarizer,
      Crew crew,
      Consumer<String> onProblem) {
    this.store = store;
    this.startedAt = clock.instant();
    SegmentationConfig segmentation = config.segmentation();
    var desk = new TocDesk(clock, store);
    builder = new TocBuilder(desk, summarizer, tokens, segmentation, crew);
    var rebuild = new TocRebuild(desk, builder, segmentation);
    scheduler = new Scheduler(clock, System::nanoTime, store, JOB_THREADS);
    var jobs = new Jobs(scheduler, config.rollupDebounce());
    var toc = new TocProjection(desk, builder, segmentation);
    worker =
        new OutboxWorker(
            clock, store, projection(toc), WorkerConfig.DEFAULT, listener(jobs, onProblem));
    jobs.addAll(
        store,
        worker,
        new SegmentFlush(desk, builder, segmentation),
        new Rollup(desk, summarizer, crew),
        rebuild);
    jobs.add(new DeadLetterRetry(store, TocProjection.NAME, toc::retry));
    services =
        Services.of(
            new Ingestor(clock, store, config.ingest()),
            new TocNavigator(store, store, store, store, tokens),
            scheduler,
            store,
            this::report,
            this::rebuild,
            new NodeHistory(desk));
    worker.start();
    scheduler.start();
    jobs.started(rebuild.isUnfinished());
  }

  Services services() {
    return services;
  }

  /// Ends what runs by itself. The store is left to whoever opened it.
  @Override
  public void close() {
    scheduler.close();
    worker.close();
  }

  private DaemonReport report() {
    StoreStats stats = store.stats();
    long cursor = store.checkpoint(TocProjection.NAME).map(Checkpoint::cursor).orElse(0L);
    return new DaemonReport(
        stats,
        Map.of(TocProjection.NAME, cursor),
        builder.unsupportedBullets(),
        store.zone(),
        Version.current(),
        startedAt,
        cursor >= stats.outboxHead() && isRolledUp(),
        problems());
  }

  /// Whether no period waits for a rollup. Asked after the cursor and from the bottom up: a mark is
  /// in the same commit as the cursor, or as the clearing of the mark below it, so none can be
  /// missed on its way up. The counters would lag behind the rows.
  private boolean isRolledUp() {
    return Stream.of(TocLevel.DAY, TocLevel.WEEK, TocLevel.MONTH, TocLevel.YEAR)
        .allMatch(level -> store.dirty(level, 1).isEmpty());
  }

  /// What does not work now.
  List<String> problems() {
    return Stream.concat(store.problem().stream(), worker.problem().stream()).distinct().toList();
  }

  private RebuildReport rebuild() {
    Map<String, String> done = scheduler.runNow(Jobs.REBUILD);
    return new RebuildReport(
        Long.parseLong(done.getOrDefault("sessions", "0")),
        Long.parseLong(done.getOrDefault("segments", "0")));
  }

  private static Projection projection(TocProjection toc) {
    return new Projection() {
      @Override
      public String name() {
        return TocProjection.NAME;
      }

      @Override
      public int apply(List<OutboxEntry> entries) {
        return toc.apply(entries);
      }
    };
  }

  private static OutboxWorker.Listener listener(Jobs jobs, Consumer<String> onProblem) {
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
