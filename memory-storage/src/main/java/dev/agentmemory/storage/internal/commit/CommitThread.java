package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.Prepared;
import dev.agentmemory.storage.internal.rocksdb.Guard;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The one thread that writes.
///
/// Idea: a sync of the log costs the same for one commit and for a thousand. Callers prepare their
/// commits on their own threads and queue them; this thread takes all that waits and has it written
/// as one batch, synced and answered ([GroupWriter]). The next group gathers by itself: nobody
/// waits for company, and the busier the store, the cheaper each commit.
///
/// Invariants: what this thread alone writes, it alone decides (idempotence, versions, sequence),
/// so no check can go stale between looking and writing. Nobody is answered before the sync.
///
/// Limits: commits and bytes that wait are bounded, a full queue is `QUEUE_FULL`; a group takes at
/// most [#GROUP_BYTES] and one commit more.
public final class CommitThread implements AutoCloseable {

  static final String NAME = "memory-commit";

  /// What one batch holds at most, so that a long queue does not make all wait for its end.
  private static final long GROUP_BYTES = 8L << 20;

  /// Half of the second within which the witness follows an acknowledgement.
  private static final long LOOK_NANOS = 500_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Pending> queue = new ArrayDeque<>();
  private final int boundCommits;
  private final long boundBytes;
  private final Work work;
  private final Thread thread;
  private long queuedBytes;
  private boolean closed;

  /// A commit that waits for its answer.
  record Pending(Prepared commit, CompletableFuture<List<Receipt>> answer) {

    void fail(MemoryException why) {
      answer.completeExceptionally(why);
    }
  }

  /// What is done with a group: writes it and sees to it that it is answered, in order.
  interface Work {
    void write(List<Pending> group);

    /// Looks after the store; called before every group, and at least every half second.
    default void look() {}
  }

  public CommitThread(int boundCommits, long boundBytes, Work work) {
    this.boundCommits = boundCommits;
    this.boundBytes = boundBytes;
    this.work = work;
    this.thread = Thread.ofPlatform().name(NAME).daemon(true).unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /// @throws MemoryException `QUEUE_FULL` or `CLOSED`
  public CompletableFuture<List<Receipt>> submit(Prepared commit) {
    var pending = new Pending(commit, new CompletableFuture<>());
    lock.lock();
    try {
      if (closed) {
        throw Guard.closed();
      }
      checkRoom(commit);
      queue.add(pending);
      queuedBytes += commit.bytes();
      arrived.signal();
    } finally {
      lock.unlock();
    }
    return pending.answer();
  }

  public boolean isCurrent() {
    return Thread.currentThread().equals(thread);
  }

  /// Writes what waits, then ends.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
    ThreadJoin.join(thread);
  }

  private void checkRoom(Prepared commit) {
    boolean full =
        queue.size() >= boundCommits
            || (!queue.isEmpty() && queuedBytes + commit.bytes() > boundBytes);
    if (full) {
      throw new MemoryException(
          ErrorCode.QUEUE_FULL,
          "%d commits of %d bytes are waiting to be written; retry later"
              .formatted(queue.size(), queuedBytes));
    }
  }

  private void run() {
    while (!isOver()) {
      List<Pending> group = take();
      try {
        work.look();
        if (!group.isEmpty()) {
          work.write(group);
        }
      } catch (Throwable t) {
        // Whatever it was, nobody may be left waiting.
        var failure = new MemoryException(ErrorCode.INTERNAL, "the commit thread failed: " + t, t);
        group.forEach(pending -> pending.fail(failure));
      }
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return closed && queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// @return empty when nothing came for half a second, or will come any more
  private List<Pending> take() {
    lock.lock();
    try {
      awaitArrival();
      var group = new ArrayList<Pending>();
      long bytes = 0;
      while (!queue.isEmpty() && bytes < GROUP_BYTES) {
        Pending next = queue.remove();
        bytes += next.commit().bytes();
        group.add(next);
      }
      queuedBytes -= bytes;
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void awaitArrival() {
    long nanos = LOOK_NANOS;
    while (queue.isEmpty() && !closed && nanos > 0) {
      try {
        nanos = arrived.awaitNanos(nanos);
      } catch (InterruptedException _) {
        // Nobody else has this thread, and it ends by closing only.
      }
    }
  }
}
