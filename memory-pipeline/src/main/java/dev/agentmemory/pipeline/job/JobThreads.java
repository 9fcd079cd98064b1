package dev.agentmemory.pipeline.job;

import dev.agentmemory.spi.BackgroundPriority;
import dev.agentmemory.spi.Mutex;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads `memory-job-N`, which run jobs. Schedulers can share them.
///
/// A fixed number of runs is active at once, and the others wait in a queue. A hanging run does not
/// count ([#addThread]), so the pool always has free threads: the number of additional threads is
/// at most the number of hanging runs, and each job has at most one of these. Runs that a caller
/// waits for have their own threads.
public final class JobThreads implements AutoCloseable {

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final Mutex sizing = new Mutex();
  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor beside;

  /// @param atOnce how many jobs run at the same time, 1 and up
  public JobThreads(int atOnce) {
    this(atOnce, IDLE);
  }

  /// @param idle time after which an idle thread ends
  JobThreads(int atOnce, Duration idle) {
    ThreadFactory factory =
        BackgroundPriority.of(Thread.ofPlatform().daemon(true).name("memory-job-", 1).factory());
    long millis = idle.toMillis();
    this.pool =
        new ThreadPoolExecutor(
            atOnce, atOnce, millis, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
    this.beside =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, millis, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), factory);
    pool.allowCoreThreadTimeOut(true);
  }

  /// Runs work when a thread is free. The queue is bounded by the callers: each job is queued at
  /// most once.
  void execute(Runnable work) {
    pool.execute(work);
  }

  /// Runs work at once on an additional thread, also when others wait in the queue. The number of
  /// threads is bounded by the callers: each job has at most one run.
  void executeBeside(Runnable work) {
    beside.execute(work);
  }

  /// Adds a thread to the pool while a hanging run occupies one.
  void addThread() {
    try (var _ = sizing.hold()) {
      int size = places() + 1;
      pool.setMaximumPoolSize(size);
      pool.setCorePoolSize(size);
    }
  }

  void removeThread() {
    try (var _ = sizing.hold()) {
      int size = places() - 1;
      pool.setCorePoolSize(size);
      pool.setMaximumPoolSize(size);
    }
  }

  /// How many runs can be active at once, without those of [#executeBeside].
  int places() {
    return pool.getCorePoolSize();
  }

  /// Interrupts active runs and does not wait for them. Close the schedulers first.
  @Override
  public void close() {
    pool.shutdownNow();
    beside.shutdownNow();
  }
}
