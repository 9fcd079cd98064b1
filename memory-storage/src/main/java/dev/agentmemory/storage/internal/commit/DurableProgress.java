package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.codec.Counters;
import java.time.Duration;
import java.util.concurrent.locks.Condition;

/// How far the store is durable. Threads can wait for more.
public final class DurableProgress {

  private final Mutex lock = new Mutex();
  private final Condition advanced = lock.newCondition();
  private volatile Counters counters;
  private volatile long commits;

  /// The lowest outbox sequence after which a thread waits for an entry. A commit that does not
  /// reach it wakes no thread, so a worker that waits for a full batch does not slow the commits
  /// down.
  private volatile long nearest = Long.MAX_VALUE;

  private boolean closed;

  public DurableProgress(Counters counters) {
    this.counters = counters;
  }

  /// Called after each sync, by one thread at a time and in the order of writing.
  void advance(Counters now, int answered) {
    counters = now;
    long sum = commits + answered;
    commits = sum;
    if (now.outboxHead() > nearest) {
      signal();
    }
  }

  /// Continues with the content of the reopened tables: what was acknowledged, and maybe more.
  void restart(Counters now) {
    counters = now;
    signal();
  }

  public Counters counters() {
    return counters;
  }

  public long commits() {
    return commits;
  }

  /// @return whether an entry after the sequence exists
  public boolean await(long after, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      nearest = Math.min(nearest, after);
      while (!isBehind(after) && !closed && left > 0) {
        left = advanced.awaitNanos(left);
        nearest = Math.min(nearest, after);
      }
      return isBehind(after) && !closed;
    }
  }

  /// Wakes all waiting threads.
  public void close() {
    try (var _ = lock.hold()) {
      closed = true;
      advanced.signalAll();
    }
  }

  private boolean isBehind(long after) {
    Counters now = counters;
    return now.outboxHead() > after && now.outboxHead() >= now.outboxTail();
  }

  private void signal() {
    try (var _ = lock.hold()) {
      // A thread that continues to wait sets it again.
      nearest = Long.MAX_VALUE;
      advanced.signalAll();
    }
  }
}
