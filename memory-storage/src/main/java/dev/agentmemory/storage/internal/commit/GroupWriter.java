package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.home.WitnessKeeper;
import dev.agentmemory.storage.internal.rocksdb.BatchSink;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the groups one after the other: one batch and one sync for each group, then all of its
/// commits are answered. While the disk is busy the next group gathers.
///
/// When a write or a sync fails, no commit of the group is acknowledged. Only reading the log again
/// shows whether the group has reached it. So every further commit fails until the tables were
/// reopened. That is tried repeatedly: after a full disk as soon as there is space, otherwise at
/// increasing intervals. Reads continue.
public final class GroupWriter implements CommitThread.Work {

  private static final int FIRST_CAPACITY = 16 << 10;

  private static final Logger log = LoggerFactory.getLogger(GroupWriter.class);

  private final InstantSource clock;
  private final Supplier<PendingState> states;
  private final BatchSink sink;
  private final DurableProgress progress;
  private final DiskSpaceGuard diskSpace;
  private final WitnessKeeper witness;
  private final Repair repair;
  private final BatchBytes batch = new BatchBytes(FIRST_CAPACITY);
  private volatile @Nullable WriteFailure writeFailure;

  /// Used by the thread that writes only.
  private PendingState state;

  /// Reopens the tables.
  public interface Repair {

    /// Returns when the whole content of the log is in the tables, and durable.
    ///
    /// @param merging whether files may be compacted from now on
    /// @param acknowledged how far the store had acknowledged; the tables must contain that
    /// @throws MemoryException when the disk still refuses, or an acknowledged change is missing
    void reopen(boolean merging, Counters acknowledged);
  }

  /// A commit whose rows are in the batch.
  private record Accepted(CommitThread.Pending pending, List<Receipt> receipts) {}

  /// @param states creates the pending state from the current content of the store
  public GroupWriter(
      InstantSource clock,
      Supplier<PendingState> states,
      BatchSink sink,
      DurableProgress progress,
      DiskSpaceGuard diskSpace,
      WitnessKeeper witness,
      Repair repair) {
    this.clock = clock;
    this.states = states;
    this.state = states.get();
    this.sink = sink;
    this.progress = progress;
    this.diskSpace = diskSpace;
    this.witness = witness;
    this.repair = repair;
  }

  /// Why events are not accepted; empty while they are.
  public Optional<String> problem() {
    WriteFailure failure = writeFailure;
    return failure == null
        ? diskSpace.problem()
        : Optional.of("the store accepts no writes now: " + why(failure).getMessage());
  }

  /// Checks the free space, and tries to reopen the tables after a failure when the next attempt is
  /// due.
  @Override
  public void look() {
    long now = clock.millis();
    diskSpace.look(now);
    witness.look(now, progress.counters());
    WriteFailure failure = writeFailure;
    if (failure == null || !failure.isDue(now)) {
      return;
    }
    if (failure.kind() != WriteFailure.Kind.SPACE || diskSpace.canReopen()) {
      reopen(failure, now);
    }
  }

  @Override
  public boolean isLookDue() {
    return writeFailure != null || diskSpace.isLookDue(clock.millis());
  }

  private void reopen(WriteFailure failure, long now) {
    try {
      repair.reopen(failure.kind() != WriteFailure.Kind.DAMAGE, progress.counters());
      state = states.get();
      progress.restart(state.counters());
      writeFailure = null;
      log.info("the store was reopened after a failure and accepts writes again");
    } catch (MemoryException e) {
      failure.later(now);
      if (e.code() == ErrorCode.STORE_DAMAGED) {
        // The damage is reported from now on, instead of the first failure.
        writeFailure = failure.because(e);
      }
      log.warn("the store could not be reopened and accepts no writes yet: {}", e.getMessage());
    }
  }

  @Override
  public void write(List<CommitThread.Pending> group) {
    WriteFailure failure = writeFailure;
    if (failure != null) {
      fail(group, why(failure));
      return;
    }
    // What an erasure removes must be in the store, and nothing of its group may refer to it.
    if (group.size() > 1 && group.stream().anyMatch(pending -> pending.commit().erases())) {
      group.forEach(pending -> write(List.of(pending)));
      return;
    }
    try {
      writeWhole(group);
    } catch (RocksDBException e) {
      fail(group, stopWrites(e));
    } catch (MemoryException e) {
      unreadable(group, e);
    } catch (RuntimeException | Error e) {
      fail(group, stopWrites(e));
      throw e;
    }
  }

  /// Handles a stored row that is needed and cannot be read. Nothing was written, and only the
  /// commits that need the row fail.
  private void unreadable(List<CommitThread.Pending> group, MemoryException why) {
    try {
      state = states.get();
    } catch (MemoryException e) {
      fail(group, stopWrites(e));
      return;
    }
    if (group.size() == 1) {
      fail(group, why);
    } else {
      group.forEach(pending -> write(List.of(pending)));
    }
  }

  private void writeWhole(List<CommitThread.Pending> group) throws RocksDBException {
    batch.clear();
    state.begin(group.stream().map(CommitThread.Pending::commit).toList());
    List<Accepted> accepted = accept(group);
    state.finish(batch);
    if (batch.rows() > 0) {
      sink.write(batch.toBytes());
      sink.sync();
      diskSpace.written(batch.size());
    }
    state.trim();
    progress.advance(state.counters(), accepted.size());
    accepted.forEach(one -> one.pending().answer().complete(one.receipts()));
  }

  /// Adds the commits to the batch. A refused commit does not affect the others.
  private List<Accepted> accept(List<CommitThread.Pending> group) {
    var accepted = new ArrayList<Accepted>(group.size());
    for (CommitThread.Pending pending : group) {
      try {
        List<Receipt> receipts = state.apply(pending.commit(), batch);
        accepted.add(new Accepted(pending, List.copyOf(receipts)));
      } catch (MemoryException e) {
        e.rethrowUnless(ErrorCode.CONFLICT);
        pending.fail(e);
      }
    }
    return accepted;
  }

  private static void fail(List<CommitThread.Pending> group, MemoryException why) {
    group.forEach(pending -> pending.fail(why));
  }

  private MemoryException stopWrites(Throwable cause) {
    WriteFailure.Kind kind = WriteFailure.Kind.of(cause);
    var why =
        new MemoryException(
            ErrorCode.STORAGE_FAILED,
            kind == WriteFailure.Kind.DAMAGE
                ? "a damaged file ended compaction, so a write was not acknowledged; run"
                    + " `memory doctor` (the store reopens without compaction automatically)"
                : "a write failed and was not acknowledged;"
                    + " check the disk (the store reopens automatically)",
            cause);
    var failure = new WriteFailure(kind, why, clock.millis());
    writeFailure = failure;
    log.error(
        "a write to {} failed; the store accepts none until it is reopened",
        diskSpace.directory(),
        cause);
    return why(failure);
  }

  private MemoryException why(WriteFailure failure) {
    return switch (failure.kind()) {
      case SPACE -> diskSpace.full(failure.why());
      case DAMAGE, REFUSAL -> failure.why();
    };
  }
}
