package dev.agentmemory.toc;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.JobRefused;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.toc.summary.model.ModelSummarizer;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The jobs of the table of contents and what triggers them: new segments trigger the rollup of
/// days, and each rollup that has looked at a node triggers the one above it.
public final class TocJobs {

  /// Stands for the worker of [TocProjection].
  public static final String PROJECTION = "toc_projection";

  /// Segments everything again from the log.
  public static final String REBUILD = "toc_rebuild";

  private static final String FLUSH = "segment_flush";
  private static final String DIGEST = "segment_digest";

  /// How often resting segments are looked for within the time that they have to rest.
  private static final int LOOKS = 3;

  private static final Duration SHORTEST_LOOK = Duration.ofMillis(20);

  /// It reads the whole log; the caller waits and can cancel it.
  private static final Duration LONGEST_REBUILD = Duration.ofDays(1);

  private static final Duration SAFETY_NET = Duration.ofMinutes(10);

  /// Days have waited for more changes already; what follows from them need not wait again.
  private static final Schedule ABOVE =
      new Schedule.OnTrigger(Duration.ofMillis(20), Duration.ofSeconds(1), SAFETY_NET);

  private final JobControl control;
  private final TocWriter writer;
  private final TocBuilder builder;
  private final Rollup rollup;
  private final OpenDigests digests;
  private final Duration look;
  private final SegmentFlush flush;
  private final TocRebuild rebuild;

  public TocJobs(
      JobControl control,
      TocWriter writer,
      TocBuilder builder,
      Rollup rollup,
      SegmentationConfig segmentation) {
    this.control = control;
    this.writer = writer;
    this.builder = builder;
    this.rollup = rollup;
    this.digests = new OpenDigests(writer, builder, segmentation.rest());
    this.look = longer(SHORTEST_LOOK, segmentation.rest().dividedBy(LOOKS));
    this.flush = new SegmentFlush(writer, builder, segmentation);
    this.rebuild = new TocRebuild(writer, builder, segmentation);
  }

  /// All but [#summaries].
  ///
  /// @param worker of the projection
  /// @param debounce how long a rollup waits for more changes
  /// @param timeout of a run
  public List<Job> jobs(Schedule.Pausable worker, Duration debounce, Duration timeout) {
    var jobs = new ArrayList<Job>();
    jobs.add(
        new Job(
            PROJECTION, new Schedule.Continuous(worker), timeout, Map::of, this::projectionDue));
    jobs.add(
        new Job(
            FLUSH,
            onTrigger(debounce, Duration.ofSeconds(60)),
            timeout,
            this::flushed,
            flush::nextSilence));
    jobs.add(
        new Job(
            DIGEST,
            new Schedule.OnTrigger(look, look, SAFETY_NET),
            timeout,
            digestion(),
            digests::nextRest));
    for (TocLevel level : TocLevel.PERIODS) {
      Schedule schedule = level == TocLevel.DAY ? onTrigger(debounce, SAFETY_NET) : ABOVE;
      jobs.add(
          new Job(rollup(level), schedule, timeout, () -> rolled(level), () -> rollupDue(level)));
    }
    jobs.add(
        new Job(
            REBUILD, new Schedule.OnRequest(), LONGEST_REBUILD, this::rebuilt, this::rebuildDue));
    return jobs;
  }

  /// Replaces summaries by a model's.
  ///
  /// @param random chooses the ids of the rows of the ledger
  /// @param longest how long a run may take; it ends between two nodes
  public SummaryUpgrade upgrade(
      RandomGenerator random, ModelSummarizer model, TokenBudget budget, Duration longest) {
    return new SummaryUpgrade(
        random,
        writer,
        builder,
        rollup,
        level -> !control.isPaused(rollup(level)),
        model,
        budget,
        longest);
  }

  /// The job that runs an upgrade.
  public Job summaries(SummaryUpgrade upgrade, Schedule schedule, Duration timeout) {
    var body =
        new Job.Body() {
          @Override
          public Map<String, String> run() {
            return told(upgrade.run(), upgrade.problem());
          }

          @Override
          public Map<String, String> runOnRequest() {
            return told(upgrade.runNow(), upgrade.problem());
          }
        };
    return new Job(SummaryUpgrade.JOB, schedule, timeout, body, upgrade::due);
  }

  /// Triggers what a stop may have left undone.
  public void start() {
    progressed();
    for (TocLevel level : List.of(TocLevel.WEEK, TocLevel.MONTH, TocLevel.YEAR)) {
      control.trigger(rollup(level));
    }
    if (rebuild.isUnfinished()) {
      control.trigger(REBUILD);
    }
  }

  /// There are new segments.
  public void progressed() {
    control.trigger(rollup(TocLevel.DAY));
    control.trigger(FLUSH);
    control.trigger(DIGEST);
  }

  /// Entries of the outbox could not be read; only all sessions together tell what has changed.
  public void passedOver() {
    control.trigger(REBUILD);
  }

  /// A node has got other words, so what is above it has to be summarised again.
  public void reverted(NodeId node) {
    node.level().parent().ifPresent(above -> control.trigger(rollup(above)));
  }

  private Map<String, String> flushed() {
    int closed = flush.run();
    if (closed > 0) {
      control.trigger(rollup(TocLevel.DAY));
    }
    return Map.of("segments", Integer.toString(closed));
  }

  private Job.Body digestion() {
    return new Job.Body() {
      @Override
      public Map<String, String> run() {
        return digested(digests.run());
      }

      @Override
      public Map<String, String> runOnRequest() {
        return digested(digests.runAll());
      }
    };
  }

  private Map<String, String> digested(OpenDigests.Result result) {
    if (result.digested() > 0) {
      control.trigger(rollup(TocLevel.DAY));
    }
    if (result.waiting() > 0) {
      control.trigger(DIGEST);
    }
    return Map.of("segments", Integer.toString(result.digested()));
  }

  private Map<String, String> rolled(TocLevel level) {
    int nodes = rollup.run(level);
    if (nodes > 0) {
      level.parent().ifPresent(parent -> control.trigger(rollup(parent)));
    }
    return Map.of("nodes", Integer.toString(nodes));
  }

  private Map<String, String> told(SummaryUpgrade.Result result, Optional<String> problem) {
    if (result.upgraded() > 0) {
      TocLevel.PERIODS.forEach(level -> control.trigger(rollup(level)));
    }
    result.halt().filter(SummaryUpgrade.Halt::failure).ifPresent(TocJobs::fail);
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

  private Map<String, String> rebuilt() {
    TocRebuild.Result result = rebuild.run();
    start();
    return Map.of(
        "sessions", Long.toString(result.sessions()),
        "segments", Long.toString(result.segments()));
  }

  private Optional<Instant> projectionDue() {
    MemoryStore store = writer.store();
    return nowIf(TocProjection.cursor(store.checkpoints()) < store.outbox().head());
  }

  private Optional<Instant> rollupDue(TocLevel level) {
    return nowIf(!writer.store().toc().dirty(level, 1).isEmpty()).or(() -> rollup.nextEnd(level));
  }

  private Optional<Instant> rebuildDue() {
    return nowIf(rebuild.isUnfinished());
  }

  private Optional<Instant> nowIf(boolean waiting) {
    return waiting ? Optional.of(writer.clock().instant()) : Optional.empty();
  }

  private static Schedule onTrigger(Duration debounce, Duration every) {
    return new Schedule.OnTrigger(debounce, debounce.multipliedBy(10), every);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static String rollup(TocLevel level) {
    return switch (level) {
      case DAY -> "toc_rollup_day";
      case WEEK -> "toc_rollup_week";
      case MONTH -> "toc_rollup_month";
      case YEAR -> "toc_rollup_year";
      case SEGMENT -> throw new IllegalArgumentException("segments are not rolled up");
    };
  }
}
