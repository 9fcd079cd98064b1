package dev.agentmemory.storage;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// Writes one group after the other: one batch a group. [SyncThread] makes it durable and answers
/// while the next group is written; a commit that comes alone to an idle store is synced here,
/// which saves the way to the other thread.
///
/// When a write or a sync fails, nobody of the groups concerned is acknowledged. Whether they have
/// reached the log, only reading the log again can tell; so from then on every commit fails with
/// `STORAGE_FAILED` until the store is opened anew. Reads go on.
final class GroupWriter implements CommitThread.Work, AutoCloseable {

  private static final int FIRST_CAPACITY = 16 << 10;

  private final Tip tip;
  private final Sink sink;
  private final Progress progress;
  private final BatchBytes batch = new BatchBytes(FIRST_CAPACITY);
  private final SyncThread<Written> syncer = new SyncThread<>(this::finish);
  private volatile @Nullable MemoryException broken;

  /// Where batches go: the engine, or in tests a disk that fails.
  interface Sink {

    /// Writes a batch of [BatchBytes] to the log and the tables; not yet durable.
    void write(byte[] batch) throws RocksDBException;

    /// Makes durable what was written before, as far as the store is configured to.
    void sync() throws RocksDBException;
  }

  /// A commit whose rows are in the batch.
  private record Accepted(CommitThread.Pending pending, List<Receipt> receipts) {}

  /// A group that was written and waits for its sync.
  ///
  /// @param counters what the store holds with it
  private record Written(List<Accepted> commits, Counters counters) {}

  GroupWriter(Tip tip, Sink sink, Progress progress) {
    this.tip = tip;
    this.sink = sink;
    this.progress = progress;
  }

  void start() {
    syncer.start();
  }

  /// Whether the calling thread answers commits.
  boolean isAnswering() {
    return syncer.isCurrent();
  }

  /// Why every commit fails; empty while they do not.
  Optional<String> problem() {
    return Optional.ofNullable(broken)
        .map(why -> "the store takes no more writes: " + why.getMessage());
  }

  /// Answers what was written. The commit thread has ended before.
  @Override
  public void close() {
    syncer.close();
  }

  @Override
  public void write(List<CommitThread.Pending> group) {
    MemoryException why = broken;
    if (why != null) {
      fail(group, why);
      return;
    }
    try {
      writeWhole(group);
    } catch (RocksDBException e) {
      fail(group, breaks(e));
    } catch (RuntimeException | Error e) {
      fail(group, breaks(e));
      throw e;
    }
  }

  private void writeWhole(List<CommitThread.Pending> group) throws RocksDBException {
    batch.clear();
    tip.begin(group.stream().map(CommitThread.Pending::commit).toList());
    List<Accepted> accepted = accept(group);
    tip.finish(batch);
    if (batch.rows() > 0) {
      sink.write(batch.toBytes());
    }
    tip.trim();
    var written = new Written(accepted, tip.counters());
    if (group.size() == 1 && syncer.isIdle()) {
      finish(List.of(written));
    } else {
      syncer.hand(written);
    }
  }

  /// Syncs and answers, in order.
  private void finish(List<Written> groups) {
    MemoryException why = broken == null ? synced() : broken;
    if (why != null) {
      groups.forEach(group -> group.commits().forEach(one -> one.pending().fail(why)));
      return;
    }
    for (Written group : groups) {
      progress.advance(group.counters(), group.commits().size());
      group.commits().forEach(one -> one.pending().answer().complete(one.receipts()));
    }
  }

  /// @return what went wrong, null when all is on disk
  private @Nullable MemoryException synced() {
    try {
      sink.sync();
      return null;
    } catch (RocksDBException | RuntimeException | Error e) {
      return breaks(e);
    }
  }

  /// A commit that is refused leaves the others alone.
  private List<Accepted> accept(List<CommitThread.Pending> group) {
    var accepted = new ArrayList<Accepted>(group.size());
    for (CommitThread.Pending pending : group) {
      try {
        List<Receipt> receipts = tip.apply(pending.commit(), batch);
        accepted.add(new Accepted(pending, List.copyOf(receipts)));
      } catch (MemoryException e) {
        if (e.code() != ErrorCode.CONFLICT) {
          throw e;
        }
        pending.fail(e);
      }
    }
    return accepted;
  }

  private static void fail(List<CommitThread.Pending> group, MemoryException why) {
    group.forEach(pending -> pending.fail(why));
  }

  private MemoryException breaks(Throwable cause) {
    var why =
        new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "a write failed and nothing of it was acknowledged; check the disk, then restart the daemon",
            cause);
    broken = why;
    return why;
  }
}
