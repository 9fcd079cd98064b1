package dev.agentmemory.storage;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// What has become durable so far, and waiting for more of it.
final class Progress {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private volatile Counters counters;
  private volatile long commits;
  private boolean closed;

  Progress(Counters counters) {
    this.counters = counters;
  }

  /// Called by the commit thread alone.
  void advance(Counters now, int answered) {
    boolean grown = now.outboxHead() > counters.outboxHead();
    counters = now;
    long sum = commits + answered;
    commits = sum;
    if (grown) {
      signal();
    }
  }

  Counters counters() {
    return counters;
  }

  long commits() {
    return commits;
  }

  /// @return whether an entry behind the sequence is kept
  boolean await(long after, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (!isBehind(after) && !closed && left > 0) {
        left = advanced.awaitNanos(left);
      }
      return isBehind(after) && !closed;
    } finally {
      lock.unlock();
    }
  }

  /// Lets everybody go who waits.
  void close() {
    lock.lock();
    try {
      closed = true;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isBehind(long after) {
    Counters now = counters;
    return now.outboxHead() > after && now.outboxHead() >= now.outboxTail();
  }

  private void signal() {
    lock.lock();
    try {
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
