package dev.agentmemory.pipeline;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The threads, `memory-job-N`, on which jobs run; schedulers can share them.
///
/// So many runs go on at once, and the others wait for their turn. A run that hangs gives its place
/// away ([#lend]), so the pool cannot run dry: there are at most as many threads more as runs hang,
/// and of each job at most one run hangs.
public final class JobThreads implements AutoCloseable {

  private static final Duration IDLE = Duration.ofSeconds(10);

  private final ReentrantLock sizing = new ReentrantLock();
  private final ThreadPoolExecutor pool;

  /// @param atOnce how many jobs run at once, 1 and up
  public JobThreads(int atOnce) {
    this.pool =
        new ThreadPoolExecutor(
            atOnce,
            atOnce,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon(true).name("memory-job-", 1).factory());
    pool.allowCoreThreadTimeOut(true);
  }

  /// Runs something once there is a place. Its bound is that of its callers: each job waits once.
  void execute(Runnable work) {
    pool.execute(work);
  }

  /// Runs something at once, on a thread more than usual.
  void executeBeside(Runnable work) {
    lend();
    pool.execute(() -> {
      try {
        work.run();
      } finally {
        giveBack();
      }
    });
  }

  /// Adds a place while another one is taken by something that does not count.
  void lend() {
    resize(1);
  }

  void giveBack() {
    resize(-1);
  }

  /// How many runs go on at once now.
  int places() {
    return pool.getCorePoolSize();
  }

  private void resize(int by) {
    sizing.lock();
    try {
      int size = pool.getCorePoolSize() + by;
      if (by > 0) {
        pool.setMaximumPoolSize(size);
        pool.setCorePoolSize(size);
      } else {
        pool.setCorePoolSize(size);
        pool.setMaximumPoolSize(size);
      }
    } finally {
      sizing.unlock();
    }
  }

  /// Interrupts what still runs and does not wait for it. Schedulers are closed first.
  @Override
  public void close() {
    pool.shutdownNow();
  }
}
