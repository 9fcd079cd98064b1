package dev.agentmemory.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Makes written groups durable and answers them, so that the commit thread writes the next groups
/// while the disk is busy.
///
/// Idea: the log is one file, so a sync that begins after a group was written covers that group and
/// all before it. This thread takes every group that was written by then, syncs once and answers
/// all of them, in order. While it syncs, the next groups gather.
///
/// Limits: at most [#MOST_WAITING] groups wait; the commit thread waits in front of a full queue.
final class SyncThread<G> implements AutoCloseable {

  static final String NAME = "memory-sync";

  private static final int MOST_WAITING = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<G> waiting = new ArrayDeque<>();
  private final Consumer<List<G>> work;
  private final Thread thread;
  private boolean busy;
  private boolean closed;

  /// @param work syncs and answers; must not throw
  SyncThread(Consumer<List<G>> work) {
    this.work = work;
    this.thread = Thread.ofPlatform().name(NAME).daemon(true).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// Takes a group over; waits while too many are waiting.
  void hand(G group) {
    lock.lock();
    try {
      while (waiting.size() >= MOST_WAITING) {
        changed.awaitUninterruptibly();
      }
      waiting.add(group);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whether nothing is being synced or waits for it. Stays so as long as nobody hands over.
  boolean isIdle() {
    lock.lock();
    try {
      return !busy && waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /// Answers what waits, then ends.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    Threads.join(thread);
  }

  private void run() {
    for (List<G> groups = take(); !groups.isEmpty(); groups = take()) {
      work.accept(groups);
    }
  }

  /// @return empty when nothing will come any more
  private List<G> take() {
    lock.lock();
    try {
      busy = false;
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      List<G> groups = new ArrayList<>(waiting);
      waiting.clear();
      busy = !groups.isEmpty();
      changed.signalAll();
      return groups;
    } finally {
      lock.unlock();
    }
  }
}
