package dev.agentmemory.pipeline.job;

import dev.agentmemory.api.JobList;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Deferral;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.JobRefused;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Runs jobs when they are due. One thread, `memory-clock`, waits for the next due time. The jobs
/// run on [JobThreads], so a slow job does not delay the others.
///
/// While background work is deferred, only jobs that a caller requests begin.
///
/// A job never runs twice at the same time. A job with fixed times that is due while it runs is
/// skipped; a triggered job runs once more afterwards. A run that exceeds its time limit is
/// interrupted and has failed. If its body does not return even then, it no longer counts in the
/// pool, and the job is skipped until it returns.
///
/// A body that must not be tried again before a user has acted throws [JobRefused]. Its job is then
/// paused.
///
/// How a job has fared and whether it is paused is kept in the store: after every run of a rare
/// one, and of all of them at a stop.
public final class Scheduler implements Jobs, JobControl, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final InstantSource clock;
  private final Ticker ticker;
  private final RandomGenerator random;
  private final MemoryStore store;
  private final JobThreads threads;
  private final Deferral deferral;
  private final Drain drain;
  private final Map<String, JobRun> jobs = new TreeMap<>();
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();

  /// Held from the write of a job's state until the state in memory agrees, so that two concurrent
  /// calls leave both equal. Acquired before the other lock, which is never held while the store
  /// writes.
  private final Mutex keeping = new Mutex();

  private final BackgroundLoop loop;
  private boolean started;
  private boolean closing;

  /// How long closing waits for active runs.
  ///
  /// @param finish time until they are interrupted
  /// @param interrupted time after that until they are left running
  record Drain(Duration finish, Duration interrupted) {

    static final Drain DEFAULT = new Drain(Duration.ofSeconds(10), Duration.ofSeconds(5));
  }

  /// @param random source of the jitter
  /// @param threads not closed by this scheduler, because others may share them
  public Scheduler(
      InstantSource clock,
      Ticker ticker,
      RandomGenerator random,
      MemoryStore store,
      JobThreads threads) {
    this(clock, ticker, random, store, threads, Deferral.NONE, Drain.DEFAULT);
  }

  /// @param threads not closed by this scheduler, because others may share them
  /// @param deferral how long no job begins but requested ones; those that are due begin then
  public Scheduler(
      InstantSource clock,
      Ticker ticker,
      RandomGenerator random,
      MemoryStore store,
      JobThreads threads,
      Deferral deferral) {
    this(clock, ticker, random, store, threads, deferral, Drain.DEFAULT);
  }

  Scheduler(
      InstantSource clock,
      Ticker ticker,
      RandomGenerator random,
      MemoryStore store,
      JobThreads threads,
      Deferral deferral,
      Drain drain) {
    this.clock = clock;
    this.ticker = ticker;
    this.random = random;
    this.store = store;
    this.threads = threads;
    this.deferral = deferral;
    this.drain = drain;
    this.loop = new BackgroundLoop("memory-clock", this::turn);
  }

  /// Adds a job; one that was paused before the last stop stays paused, and a long period goes on.
  ///
  /// @throws IllegalArgumentException when its cron expression is wrong, saying what would be right
  public void add(Job job) {
    JobMark mark = JobMark.read(store, job.name());
    var run = new JobRun(job, random, clock.instant(), mark);
    exclusively(() -> {
      run.setPaused(mark.paused(), clock.instant());
      jobs.put(job.name(), run);
    });
    if (!run.mark().equals(mark)) {
      store.commit(Commit.of(run.mark().toCheckpoint(job.name())));
    }
  }

  public void start() {
    exclusively(() -> started = true);
    loop.start();
  }

  /// Whether the scheduler runs jobs.
  public boolean running() {
    return locked(() -> started && !closing);
  }

  /// All jobs by name.
  public List<JobStatus> status() {
    return locked(() -> jobs.values().stream().map(JobRun::status).toList());
  }

  @Override
  public JobList list() {
    return new JobList(running(), status());
  }

  /// {@inheritDoc} It stays paused over restarts. A run that has begun continues.
  @Override
  public void pause(String job) {
    setPaused(job, true);
  }

  /// {@inheritDoc} A job that paused itself runs at once.
  @Override
  public void resume(String job) {
    setPaused(job, false);
  }

  @Override
  public void trigger(String job) {
    exclusively(() -> {
      JobRun run = jobs.get(job);
      if (run != null) {
        run.trigger(clock.instant());
        signalChange();
      }
    });
  }

  @Override
  public void plan(String job, Duration fromNow) {
    exclusively(() -> {
      JobRun run = jobs.get(job);
      if (run != null) {
        run.plan(clock.instant().plus(fromNow));
        signalChange();
      }
    });
  }

  @Override
  public boolean isPaused(String job) {
    return locked(() -> {
      JobRun run = jobs.get(job);
      return run != null && run.isPaused();
    });
  }

  /// Whether a job runs at this moment; those that run all the time do not count.
  public boolean isWorking() {
    return locked(() -> jobs.values().stream().anyMatch(run -> run.attempt().isPresent()));
  }

  /// When a job that is not paused is due without an event; empty when none is.
  public Optional<Instant> due() {
    List<Job> unpaused =
        locked(() ->
            jobs.values().stream().filter(run -> !run.isPaused()).map(run -> run.job).toList());
    return unpaused.stream()
        .flatMap(job -> job.due().get().stream())
        .min(Comparator.naturalOrder());
  }

  /// Runs a job, also one that is paused, on a thread beside those of the others, and waits for it;
  /// first for the run that goes on already.
  ///
  /// @return what the run did
  /// @throws MemoryException `NOT_FOUND` when there is no such job, the code of the run's failure,
  ///   `INTERNAL` when that has none or the run exceeded its time limit, `CONFLICT` when the job
  ///   refused to continue (the message says why) or an earlier run hangs, `CLOSED` when the
  ///   scheduler stops
  @Override
  public Map<String, String> run(String job) {
    try {
      JobRun run = claim(job);
      Attempt attempt = locked(() -> run.attempt().orElseThrow());
      threads.executeBeside(() -> perform(run, attempt));
      Attempt.Result result = attempt.result.get();
      result
          .failure()
          .ifPresent(failure -> {
            String how = result.refused() ? "has paused itself" : "failed";
            throw new MemoryException(
                failure.code(), "job %s %s: %s".formatted(job, how, failure.reason()));
          });
      return result.did();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "stopped while waiting for job " + job, e);
    } catch (CancellationException | ExecutionException e) {
      throw new MemoryException(
          ErrorCode.CLOSED, "the daemon is stopping; job " + job + " did not run", e);
    }
  }

  private JobRun claim(String job) throws InterruptedException {
    try (var _ = lock.hold()) {
      JobRun run = jobs.get(job);
      if (run == null || run.job.schedule() instanceof Schedule.Continuous) {
        throw new MemoryException(
            ErrorCode.NOT_FOUND, "there is no job " + job + " to run; jobs: " + runnable());
      }
      while (run.attempt().isPresent() && run.hanging().isEmpty() && !closing) {
        changed.await();
      }
      if (closing) {
        throw new MemoryException(
            ErrorCode.CLOSED, "the daemon is stopping; job " + job + " did not run");
      }
      run.hanging()
          .ifPresent(why -> {
            throw new MemoryException(ErrorCode.CONFLICT, "job " + job + " cannot run: " + why);
          });
      run.begin(clock.instant()).request();
      return run;
    }
  }

  private List<String> runnable() {
    return jobs.values().stream()
        .filter(run -> !(run.job.schedule() instanceof Schedule.Continuous))
        .map(run -> run.job.name())
        .toList();
  }

  private void setPaused(String job, boolean paused) {
    JobRun run = locked(() -> jobs.get(job));
    if (run == null) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "there is no job '%s'; available jobs: %s".formatted(job, String.join(", ", names())));
    }
    whileKeeping(() -> {
      store.commit(Commit.of(locked(run::mark).withPaused(paused).toCheckpoint(job)));
      exclusively(() -> {
        run.setPaused(paused, clock.instant());
        signalChange();
      });
    });
  }

  private List<String> names() {
    return locked(() -> List.copyOf(jobs.keySet()));
  }

  /// Stores the state after a run that has ended. If that fails, the job runs once more than
  /// necessary.
  private void keep(JobRun run) {
    whileKeeping(() -> {
      try {
        store.commit(Commit.of(locked(run::mark).toCheckpoint(run.job.name())));
      } catch (MemoryException e) {
        LOG.warn("the last run of job {} could not be stored: {}", run.job.name(), e.getMessage());
      }
    });
  }

  /// Wakes callers that wait for a job, and the scheduler's own thread. Called under the lock.
  private void signalChange() {
    changed.signalAll();
    loop.wake();
  }

  /// Starts the runs that are due.
  ///
  /// @return time until the next one is due
  Duration turn() {
    return locked(() -> {
      Instant now = clock.instant();
      long nanos = ticker.nanos();
      Duration deferred = deferral.left();
      for (JobRun run : jobs.values()) {
        if (run.expire(nanos)) {
          run.attempt().ifPresent(attempt -> expired(run, attempt));
        }
        if (deferred.isZero() && run.isToRun(now)) {
          Attempt attempt = run.begin(now);
          threads.execute(() -> perform(run, attempt));
        }
      }
      List<Duration> waits = new ArrayList<>();
      waits.add(LONGEST_WAIT);
      if (!deferred.isZero()) {
        waits.add(deferred);
      }
      for (JobRun run : jobs.values()) {
        if (deferred.isZero()) {
          run.wake().ifPresent(due -> waits.add(Duration.between(now, due)));
        }
        run.timeLeft(nanos).ifPresent(waits::add);
      }
      return Collections.max(List.of(SHORTEST_WAIT, Collections.min(waits)));
    });
  }

  /// Replaces the thread of a run that exceeded its time limit, because it may never return. A
  /// requested run has its own thread and needs no replacement.
  private void expired(JobRun run, Attempt attempt) {
    LOG.error("job {} took longer than {} and was interrupted", run.job.name(), run.job.timeout());
    signalChange();
    if (!attempt.isRequested()) {
      threads.addThread();
    }
    if (run.isRare()) {
      threads.executeBeside(() -> keep(run));
    }
  }

  /// Never throws. A run that has begun must be ended whatever the body throws, or the job would be
  /// reported as running without end.
  private void perform(JobRun run, Attempt attempt) {
    if (!enter(run, attempt)) {
      return;
    }
    Optional<String> before = locked(() -> run.status().lastError());
    Attempt.Result result = body(run.job, attempt.isRequested(), before);
    boolean late =
        locked(() -> {
          attempt.leave();
          run.end(attempt, ticker.nanos(), result);
          signalChange();
          return attempt.isOverdue();
        });
    logResult(run.job, result);
    if (late) {
      LOG.warn("job {} returned after its time limit", run.job.name());
      if (!attempt.isRequested()) {
        threads.removeThread();
      }
    } else if ((run.isRare() || result.refused()) && !locked(() -> closing)) {
      keep(run);
    }
  }

  /// A run without work, which reports zero for everything, is logged at debug level.
  private static void logResult(Job job, Attempt.Result result) {
    if (result.error().isEmpty()) {
      boolean idle = result.did().values().stream().allMatch("0"::equals);
      LOG.atLevel(idle ? Level.DEBUG : Level.INFO).log("job {} ran: {}", job.name(), result.did());
    }
  }

  private boolean enter(JobRun run, Attempt attempt) {
    return locked(() -> {
      if (closing) {
        run.withdraw();
        attempt.result.cancel(false);
      } else {
        attempt.enter(ticker.nanos());
      }
      signalChange();
      return !closing;
    });
  }

  /// @param before why the previous run failed
  private static Attempt.Result body(Job job, boolean requested, Optional<String> before) {
    try {
      return Attempt.Result.succeeded(requested ? job.body().runOnRequest() : job.body().run());
    } catch (JobRefused e) {
      LOG.warn("job {} has paused itself: {}", job.name(), e.getMessage());
      LOG.debug("why job {} has paused itself", job.name(), e);
      return Attempt.Result.refused(String.valueOf(e.getMessage()));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.MODEL_UNAVAILABLE) {
        // The cause is outside the daemon and may persist, so it is logged once.
        boolean known = before.equals(Optional.ofNullable(e.getMessage()));
        LOG.atLevel(known ? Level.DEBUG : Level.WARN)
            .log("job {} waits: {}", job.name(), e.getMessage());
      } else {
        LOG.error("job {} failed", job.name(), e);
      }
      return Attempt.Result.failed(e.code(), String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      LOG.error("job {} failed", job.name(), e);
      return Attempt.Result.failed(
          ErrorCode.INTERNAL,
          e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }
  }

  /// Starts no further runs, waits for active ones, then interrupts them and waits again. Runs that
  /// have still not returned are left running and named in the log.
  @Override
  public void close() {
    exclusively(() -> {
      closing = true;
      signalChange();
    });
    try {
      if (!awaitIdle(drain.finish())) {
        LOG.warn("jobs {} still run after {}; interrupting them", inside(), drain.finish());
        exclusively(
            () -> jobs.values().forEach(run -> run.attempt().ifPresent(Attempt::interrupt)));
        if (!awaitIdle(drain.interrupted())) {
          LOG.error("jobs {} do not stop; their threads are abandoned", inside());
        }
      }
      loop.close(drain.interrupted());
      keepAll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Does not wait for runs that hang already.
  private boolean awaitIdle(Duration atMost) throws InterruptedException {
    long nanos = atMost.toNanos();
    try (var _ = lock.hold()) {
      while (nanos > 0 && jobs.values().stream().anyMatch(Scheduler::isWorthWaiting)) {
        nanos = changed.awaitNanos(nanos);
      }
      return jobs.values().stream().noneMatch(Scheduler::isWorthWaiting);
    }
  }

  private static boolean isWorthWaiting(JobRun run) {
    return run.attempt().filter(one -> one.isInside() && !one.isOverdue()).isPresent();
  }

  private List<String> inside() {
    return locked(() ->
        jobs.values().stream()
            .filter(run -> run.attempt().filter(Attempt::isInside).isPresent())
            .map(run -> run.job.name())
            .toList());
  }

  /// Stores the state of all jobs in one commit, so that the disk is synced once. A store that is
  /// already closed keeps its old state.
  private void keepAll() throws InterruptedException {
    try (var _ = keeping.hold()) {
      List<Commit> marks =
          locked(() ->
              jobs.values().stream()
                  .map(run -> Commit.of(run.mark().toCheckpoint(run.job.name())))
                  .toList());
      var written = marks.stream().map(store::submit).toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(written).get(drain.finish().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      LOG.warn("the state of the jobs could not be stored: {}", String.valueOf(e.getCause()));
    } catch (MemoryException | TimeoutException e) {
      LOG.warn("the state of the jobs could not be stored: {}", e.getMessage());
    }
  }

  private void whileKeeping(Runnable action) {
    try (var _ = keeping.hold()) {
      action.run();
    }
  }

  private void exclusively(Runnable action) {
    try (var _ = lock.hold()) {
      action.run();
    }
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    try (var _ = lock.hold()) {
      return action.get();
    }
  }
}
