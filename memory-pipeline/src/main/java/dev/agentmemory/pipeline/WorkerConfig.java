package dev.agentmemory.pipeline;

import java.time.Duration;

/// How a worker follows the outbox.
///
/// @param batch most entries of a batch; 1 to 10,000
/// @param linger how long it waits for a batch to fill once there is an entry; 0 to 10 s
/// @param attempts how often a single entry is tried before it becomes a dead letter; 1 to 100
/// @param mostBehind entries that may wait while the worker's work is deferred; 1 and up. With more
///   of them it works in any case
/// @param backoff pause after a failure, doubled each time up to 64-fold
public record WorkerConfig(
    int batch, Duration linger, int attempts, long mostBehind, Duration backoff) {

  private static final long MOST_BEHIND = 200_000;

  public static final WorkerConfig DEFAULT =
      new WorkerConfig(1024, Duration.ofMillis(100), 3, Duration.ofMillis(50));

  private static final int MOST_DOUBLINGS = 6;

  public WorkerConfig {
    if (batch < 1 || batch > 10_000 || attempts < 1 || attempts > 100 || mostBehind < 1) {
      throw new IllegalArgumentException(
          "batch " + batch + ", attempts " + attempts + ", most behind " + mostBehind);
    }
  }

  public WorkerConfig(int batch, Duration linger, int attempts, Duration backoff) {
    this(batch, linger, attempts, MOST_BEHIND, backoff);
  }

  /// How long to wait after this number of consecutive failures, 1 and up.
  Duration pauseAfter(int failures) {
    return backoff.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
  }
}
