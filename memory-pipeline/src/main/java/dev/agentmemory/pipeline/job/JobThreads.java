package dev.agentmemory.pipeline.job;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The threads, `memory-job-N`, on which jobs run; schedulers can share them.
///
/// So many runs go on at once, and the others wait for their turn. A run that hangs gives its place
/// away ([#lend]), so the pool cannot run dry: there are at most as many threads more as runs hang,
/// and of each job at most one run hangs. Runs that somebody waits for have threads of their own.
public final class JobThreads implements AutoCloseable {

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final ReentrantLock sizing = new ReentrantLock();
  private final ThreadPoolExecutor pool;
  private final ThreadPoolExecutor beside;

  /// @param atOnce how many jobs run at once, 1 and up
  public JobThreads(int atOnce) {
    this(atOnce, IDLE);
  }

  /// @param idle after which a thread that has nothing to do ends
  JobThreads(int atOnce, Duration idle) {
    ThreadFactory factory = Thread.ofPlatform().daemon(true).name("memory-job-", 1).factory();
    long millis = idle.toMillis();
    this.pool =
        new ThreadPoolExecutor(
            atOnce, atOnce, millis, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
    this.beside =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, millis, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), factory);
    pool.allowCoreThreadTimeOut(true);
  }

  /// Runs something once there is a place. Its bound is that of its callers: each job waits once.
  void execute(Runnable work) {
    pool.execute(work);
  }

  /// Runs something at once, on a thread more than usual, also when others wait for a place. Its
  /// bound is that of its callers: of each job one run goes on.
  void executeBeside(Runnable work) {
    beside.execute(work);
  }

  /// Adds a place while another one is taken by something that does not count.
  void lend() {
    sizing.lock();
    try {
      int size = places() + 1;
      pool.setMaximumPoolSize(size);
      pool.setCorePoolSize(size);
    } finally {
      sizing.unlock();
    }
  }

  void giveBack() {
    sizing.lock();
    try {
      int size = places() - 1;
      pool.setCorePoolSize(size);
      pool.setMaximumPoolSize(size);
    } finally {
      sizing.unlock();
    }
  }

  /// How many runs go on at once now, but for those beside.
  int places() {
    return pool.getCorePoolSize();
  }

  /// Interrupts what still runs and does not wait for it. Schedulers are closed first.
  @Override
  public void close() {
    pool.shutdownNow();
    beside.shutdownNow();
  }
}
