package dev.agentmemory.gateway.hook;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads on which contexts are looked up. They end when idle. The threads that the JDK shares
/// among all of a program would do it one after the other on a machine with two processors, and
/// behind whatever else runs there.
final class ContextThreads implements Executor, AutoCloseable {

  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ThreadPoolExecutor threads;

  /// @param most how many are looked up at once
  /// @param waiting how many more may wait
  ContextThreads(int most, int waiting) {
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(waiting),
            Thread.ofPlatform().daemon().name("memory-context-", 1).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /// @throws RejectedExecutionException when too many wait, or after the end
  @Override
  public void execute(Runnable lookup) {
    threads.execute(lookup);
  }

  /// Takes nothing more, runs what waits, and ends.
  ///
  /// @param atMost how long that may take; then what still waits is dropped
  /// @return how many were dropped
  int finish(Duration atMost) {
    threads.shutdown();
    try {
      if (threads.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        return 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return threads.shutdownNow().size();
  }

  /// Drops what waits.
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
