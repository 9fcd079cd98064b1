package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.BackgroundPriority;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;

/// Writes commits, one group at a time.
///
/// Idea: making writes durable costs the same for one commit and for a thousand. Callers prepare
/// their commits on their own threads and queue them. A thread of this class takes all queued
/// commits, and [GroupWriter] writes them as one batch, syncs it and answers them. While it does
/// so, the next group gathers in the queue. No commit waits for others to arrive, and the cost of a
/// commit falls as the load grows. A caller that waits for its answer writes its commit itself
/// while nothing else is written or waits, because waking two threads takes about as long as
/// writing. A thread of a lower priority does not: while all processors are busy, commits that come
/// meanwhile would wait until it gets one.
///
/// Invariants: one thread at a time writes, and it alone decides about idempotence, versions and
/// sequences. So no check can be out of date at the time of the write. No commit is answered before
/// the sync. A caller that writes answers nobody else.
///
/// Limits: the number and bytes of waiting commits are bounded; a full queue is `QUEUE_FULL`. A
/// group has at most [#GROUP_BYTES] plus one commit.
public final class CommitThread implements AutoCloseable {

  static final String NAME = "memory-commit";

  /// Most bytes of one batch, so that the first commits of a long queue do not wait for the last
  /// ones.
  private static final long GROUP_BYTES = 8L << 20;

  /// Half of the second within which an engine records what was acknowledged.
  private static final long LOOK_NANOS = 500_000_000;

  private final Mutex lock = new Mutex();
  private final Condition turn = lock.newCondition();
  private final Deque<Pending> queue = new ArrayDeque<>();
  private final int boundCommits;
  private final long boundBytes;
  private final Work work;
  private final CommitFigures figures;
  private final Thread thread;
  private long queuedBytes;
  private boolean closed;

  /// Whether the thread or a caller writes.
  private boolean writing;

  /// Whether the thread has taken the last group. Used by the thread only.
  private boolean ended;

  /// A commit that waits for its answer.
  record Pending(Prepared commit, CompletableFuture<List<Receipt>> answer) {

    void fail(MemoryException why) {
      answer.completeExceptionally(why);
    }
  }

  /// Writes a group and has its commits answered in order. Called by one thread at a time.
  interface Work {
    void write(List<Pending> group);

    /// Does periodic work. Called by the thread only, before every group that it writes and at
    /// least every half second: a caller may be interrupted, which closes the file that it writes.
    default void look() {}

    /// Whether periodic work has to be done before the next group.
    default boolean isLookDue() {
      return false;
    }
  }

  CommitThread(int boundCommits, long boundBytes, Work work) {
    this(boundCommits, boundBytes, work, CommitFigures.untimed());
  }

  /// @param figures is told of groups, and of commits that wait or are refused
  public CommitThread(int boundCommits, long boundBytes, Work work, CommitFigures figures) {
    this.boundCommits = boundCommits;
    this.boundBytes = boundBytes;
    this.work = work;
    this.figures = figures;
    this.thread = Thread.ofPlatform().name(NAME).daemon(true).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /// @throws MemoryException `QUEUE_FULL` or `CLOSED`
  public CompletableFuture<List<Receipt>> submit(Prepared commit) {
    var pending = new Pending(commit, new CompletableFuture<>());
    try (var _ = lock.hold()) {
      checkOpen();
      enqueue(pending);
    }
    return pending.answer();
  }

  /// Commits, on the thread of the caller when nothing is written or waits, no periodic work is due
  /// and its priority was not lowered.
  ///
  /// @return already completed unless the commit is queued
  /// @throws MemoryException `QUEUE_FULL` or `CLOSED`
  public CompletableFuture<List<Receipt>> write(Prepared commit) {
    var pending = new Pending(commit, new CompletableFuture<>());
    try (var _ = lock.hold()) {
      checkOpen();
      if (writing || !queue.isEmpty() || work.isLookDue() || BackgroundPriority.isLowered()) {
        enqueue(pending);
        return pending.answer();
      }
      writing = true;
    }
    write(List.of(pending), () -> {});
    return pending.answer();
  }

  public boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /// Waits for a caller that writes, writes the queued commits, then ends.
  @Override
  public void close() {
    try (var _ = lock.hold()) {
      closed = true;
      turn.signal();
    }
    BackgroundLoop.join(thread);
  }

  private void checkOpen() {
    if (closed) {
      throw Rows.closed();
    }
  }

  private void enqueue(Pending pending) {
    checkCapacity(pending.commit());
    if (writing || !queue.isEmpty()) {
      figures.waits();
    }
    queue.add(pending);
    queuedBytes += pending.commit().bytes();
    if (!writing) {
      turn.signal();
    }
  }

  private void checkCapacity(Prepared commit) {
    boolean full =
        queue.size() >= boundCommits
            || (!queue.isEmpty() && queuedBytes + commit.bytes() > boundBytes);
    if (full) {
      figures.refuses();
      throw new MemoryException(
          ErrorCode.QUEUE_FULL,
          "%d commits of %d bytes are waiting to be written; retry later"
              .formatted(queue.size(), queuedBytes));
    }
  }

  private void run() {
    while (!ended) {
      write(take(), work::look);
    }
  }

  /// Writes a group after [#writing] was set, and unsets it.
  private void write(List<Pending> group, Runnable before) {
    try {
      before.run();
      if (!group.isEmpty()) {
        figures.grouped(group.size());
        work.write(group);
      }
    } catch (Throwable t) {
      // Every waiting commit must be answered, whatever failed.
      var failure = new MemoryException(ErrorCode.INTERNAL, "the commit failed: " + t, t);
      group.forEach(pending -> pending.fail(failure));
    } finally {
      try (var _ = lock.hold()) {
        writing = false;
        if (closed || !queue.isEmpty()) {
          turn.signal();
        }
      }
    }
  }

  /// Waits for its turn to write.
  ///
  /// @return empty when nothing came for half a second, or when the queue is closed and empty
  private List<Pending> take() {
    try (var _ = lock.hold()) {
      awaitTurn();
      writing = true;
      var group = new ArrayList<Pending>();
      long bytes = 0;
      while (!queue.isEmpty() && bytes < GROUP_BYTES) {
        Pending next = queue.remove();
        bytes += next.commit().bytes();
        group.add(next);
      }
      queuedBytes -= bytes;
      ended = closed && queue.isEmpty();
      return group;
    }
  }

  private void awaitTurn() {
    boolean timedOut = false;
    while (writing || (queue.isEmpty() && !closed && !timedOut)) {
      try {
        timedOut = turn.awaitNanos(LOOK_NANOS) <= 0;
      } catch (InterruptedException _) {
        // Only this class uses the thread, and only closing ends it.
      }
    }
  }
}
