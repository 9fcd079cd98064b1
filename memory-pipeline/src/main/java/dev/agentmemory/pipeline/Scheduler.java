package dev.agentmemory.pipeline;

import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs jobs when they are due. One thread, `memory-clock`, watches the time; the jobs run on a few
/// threads of their own, so a slow one does not hold up the others. A job never runs twice at once.
/// Whether a job is paused, and when a rare one has run last, is kept in the store.
public final class Scheduler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final InstantSource clock;
  private final Ticker ticker;
  private final MemoryStore store;
  private final Map<String, JobRun> jobs = new TreeMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Held from writing what is kept of a job until memory agrees, so that two calls at once leave
  /// both the same. Taken before the other lock, which is never held while the store writes.
  private final ReentrantLock keeping = new ReentrantLock();

  private final ExecutorService pool;
  private final Thread thread;
  private boolean started;
  private boolean closing;

  /// @param threads how many jobs can run at once, 1 and up
  public Scheduler(InstantSource clock, Ticker ticker, MemoryStore store, int threads) {
    this.clock = clock;
    this.ticker = ticker;
    this.store = store;
    this.pool = jobThreads(threads);
    this.thread = Thread.ofPlatform().name("memory-clock").unstarted(this::loop);
  }

  /// They end when there is nothing to run: many stores may be open at once.
  private static ExecutorService jobThreads(int threads) {
    var pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("memory-job-", 1).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /// Adds a job; one that was paused before the last stop stays paused, and a long period goes on.
  public void add(Job job) {
    JobMark mark = JobMark.read(store, job.name());
    var run = new JobRun(job, clock.instant(), mark);
    locked(() -> {
      run.setPaused(mark.paused());
      return jobs.put(job.name(), run);
    });
    if (!run.mark().equals(mark)) {
      run.mark().write(store, job.name());
    }
  }

  public void start() {
    locked(() -> started = true);
    thread.start();
  }

  /// Whether jobs are being run.
  public boolean running() {
    return locked(() -> started && !closing);
  }

  /// All jobs by name.
  public List<JobStatus> status() {
    return locked(() -> jobs.values().stream().map(JobRun::status).toList());
  }

  public List<String> names() {
    return locked(() -> List.copyOf(jobs.keySet()));
  }

  /// Keeps a job from running, also over restarts; a run that has begun goes on.
  ///
  /// @return false when there is no such job
  public boolean pause(String job) {
    return setPaused(job, true);
  }

  /// Lets a job run again.
  ///
  /// @return false when there is no such job
  public boolean resume(String job) {
    return setPaused(job, false);
  }

  /// Says that there may be work for a job. Does nothing when there is no such job.
  public void poke(String job) {
    locked(() -> {
      JobRun run = jobs.get(job);
      if (run != null) {
        run.poke(clock.instant());
        changed.signalAll();
      }
      return true;
    });
  }

  /// Runs a job on the calling thread, also when it is paused; waits while it is running already.
  ///
  /// @return what the run did
  /// @throws MemoryException `NOT_FOUND` when there is no such job, `INTERNAL` when the run failed
  public Map<String, String> runNow(String job) {
    JobRun run = claim(job);
    JobRun.Result result = run.execute(clock, ticker);
    finished(run, result);
    if (result.error().isPresent()) {
      throw new MemoryException(
          ErrorCode.INTERNAL, "job " + job + " failed: " + result.error().get());
    }
    return result.did();
  }

  /// Lets running jobs finish for a while, then interrupts them.
  @Override
  public void close() {
    locked(() -> {
      closing = true;
      changed.signalAll();
      return true;
    });
    pool.shutdown();
    try {
      if (!pool.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("jobs still run after 10 s; interrupting them");
        pool.shutdownNow();
      }
      if (thread.isAlive()) {
        thread.join();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private JobRun claim(String job) {
    lock.lock();
    try {
      JobRun run = jobs.get(job);
      if (run == null || run.job.schedule() instanceof Schedule.Continuous) {
        throw new MemoryException(
            ErrorCode.NOT_FOUND, "there is no job " + job + " to run; jobs: " + runnable());
      }
      while (run.isRunning()) {
        changed.await();
      }
      run.begin(clock.instant());
      return run;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "stopped while waiting for job " + job, e);
    } finally {
      lock.unlock();
    }
  }

  private List<String> runnable() {
    return jobs.values().stream()
        .filter(run -> !(run.job.schedule() instanceof Schedule.Continuous))
        .map(run -> run.job.name())
        .toList();
  }

  private void finished(JobRun run, JobRun.Result result) {
    locked(() -> {
      run.end(result);
      changed.signalAll();
      return true;
    });
    if (run.isRare()) {
      keep(run);
    }
  }

  private boolean setPaused(String job, boolean paused) {
    JobRun run = locked(() -> jobs.get(job));
    if (run == null) {
      return false;
    }
    keeping.lock();
    try {
      locked(run::mark).withPaused(paused).write(store, job);
      locked(() -> {
        run.setPaused(paused);
        changed.signalAll();
        return true;
      });
    } finally {
      keeping.unlock();
    }
    return true;
  }

  /// The run itself is over: when this cannot be kept, the job runs once more than it had to.
  private void keep(JobRun run) {
    keeping.lock();
    try {
      locked(run::mark).write(store, run.job.name());
    } catch (MemoryException e) {
      LOG.warn("could not keep when job {} has run", run.job.name(), e);
    } finally {
      keeping.unlock();
    }
  }

  private void loop() {
    lock.lock();
    try {
      while (!closing) {
        Instant now = clock.instant();
        jobs.values().stream()
            .filter(run -> isDue(run, now))
            .forEach(run -> launchOrSkip(run, now));
        Duration wait =
            jobs.values().stream()
                .flatMap(run -> run.wake().stream())
                .map(due -> Duration.between(now, due))
                .min(Duration::compareTo)
                .orElse(LONGEST_WAIT);
        long nanos = Math.min(wait.toNanos(), LONGEST_WAIT.toNanos());
        if (changed.awaitNanos(Math.max(nanos, 1_000_000)) > 0) {
          LOG.trace("woken before anything was due");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isDue(JobRun run, Instant now) {
    return run.wake().filter(due -> !due.isAfter(now)).isPresent();
  }

  private void launchOrSkip(JobRun run, Instant now) {
    if (run.isPaused()) {
      run.skip();
      return;
    }
    run.begin(now);
    pool.execute(() -> finished(run, run.execute(clock, ticker)));
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
