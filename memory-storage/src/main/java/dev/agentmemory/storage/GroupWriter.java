package dev.agentmemory.storage;

import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// Writes one group after the other: one batch, one sync, then the answers.
///
/// When a write fails, nobody of the group is acknowledged and nothing of it becomes visible. It
/// may or may not have reached the log, and only reading the log again can tell; so from then on
/// every commit fails with `STORAGE_FAILED` until the store is opened anew. Reads go on.
final class GroupWriter implements CommitThread.Work {

  private static final int FIRST_CAPACITY = 1 << 20;

  private final Tip tip;
  private final Sink sink;
  private final Progress progress;
  private final BatchBytes batch = new BatchBytes(FIRST_CAPACITY);
  private @Nullable MemoryException broken;

  /// Where batches go: the engine, or in tests a disk that fails.
  interface Sink {

    /// Writes a batch of [BatchBytes], durable when it returns.
    void write(byte[] batch) throws RocksDBException;
  }

  /// A commit whose rows are in the batch.
  private record Accepted(CommitThread.Pending pending, List<Receipt> receipts) {}

  GroupWriter(Tip tip, Sink sink, Progress progress) {
    this.tip = tip;
    this.sink = sink;
    this.progress = progress;
  }

  @Override
  public void write(List<CommitThread.Pending> group) {
    if (broken != null) {
      fail(group, broken);
      return;
    }
    try {
      writeWhole(group);
    } catch (RocksDBException e) {
      broken = broken(e);
      fail(group, broken);
    } catch (RuntimeException | Error e) {
      broken = broken(e);
      fail(group, broken);
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
    progress.advance(tip.counters(), accepted.size());
    for (Accepted commit : accepted) {
      commit.pending().answer().complete(commit.receipts());
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
        pending.answer().completeExceptionally(e);
      }
    }
    return accepted;
  }

  private static void fail(List<CommitThread.Pending> group, MemoryException why) {
    for (CommitThread.Pending pending : group) {
      pending.answer().completeExceptionally(why);
    }
  }

  private static MemoryException broken(Throwable cause) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        "a write failed and nothing of it was acknowledged; check the disk, then start again",
        cause);
  }
}
