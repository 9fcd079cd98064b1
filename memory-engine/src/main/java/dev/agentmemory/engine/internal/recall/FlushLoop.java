package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Mutex;
import java.time.Duration;
import java.util.Optional;

/// Flushes some time after the first request, so that many requests cost one flush. Its thread is
/// started with the first request.
final class FlushLoop implements AutoCloseable {

  /// While nothing waits. A request cuts it short.
  private static final Duration UNTIL_REQUESTED = Duration.ofHours(1);

  private final Duration interval;
  private final Runnable flush;
  private final BackgroundLoop loop = new BackgroundLoop("memory-flush", this::step);
  private final Mutex lock = new Mutex();
  private volatile boolean waiting;
  private volatile Optional<String> problem = Optional.empty();
  private boolean due;
  private boolean started;
  private boolean closed;

  /// @param interval between a request and the flush
  FlushLoop(Duration interval, Runnable flush) {
    this.interval = interval;
    this.flush = flush;
  }

  /// Asks for a flush. Returns at once.
  void request() {
    if (waiting) {
      return;
    }
    try (var _ = lock.hold()) {
      if (waiting || closed) {
        return;
      }
      waiting = true;
      if (started) {
        loop.wake();
      } else {
        started = true;
        loop.start();
      }
    }
  }

  /// Why the latest flush failed; empty when it did not. A failed one is tried again.
  Optional<String> problem() {
    return problem;
  }

  private Duration step() {
    if (!waiting) {
      return UNTIL_REQUESTED;
    }
    if (!due) {
      due = true;
      return interval;
    }
    // A request from now on may be too late for this flush.
    waiting = false;
    due = false;
    boolean done = false;
    try {
      flush.run();
      done = true;
      problem = Optional.empty();
    } catch (RuntimeException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      if (!done) {
        waiting = true;
        due = true;
      }
    }
    return waiting ? Duration.ZERO : UNTIL_REQUESTED;
  }

  /// Ends the thread without another flush.
  @Override
  public void close() {
    try (var _ = lock.hold()) {
      closed = true;
      if (!started) {
        return;
      }
    }
    loop.close();
  }
}
