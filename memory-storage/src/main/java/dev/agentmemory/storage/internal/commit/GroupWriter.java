package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
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

/// Writes one group after the other: one batch a group, one sync, then all of it is answered. While
/// the disk is busy the next group gathers.
///
/// When a write or a sync fails, nobody of the group is acknowledged. Whether it has reached the
/// log, only reading the log again can tell; so from then on every commit fails until the tables
/// were opened anew underneath, which is tried again and again: after a full disk as soon as there
/// is room, otherwise at growing distances. Reads go on.
public final class GroupWriter implements CommitThread.Work {

  private static final int FIRST_CAPACITY = 16 << 10;

  private static final Logger log = LoggerFactory.getLogger(GroupWriter.class);

  private final InstantSource clock;
  private final Supplier<PendingState> tips;
  private final BatchSink sink;
  private final DurableProgress progress;
  private final DiskSpaceGuard headroom;
  private final WitnessKeeper witness;
  private final Repair repair;
  private final BatchBytes batch = new BatchBytes(FIRST_CAPACITY);
  private volatile @Nullable WriteFailure broken;

  /// Touched by the commit thread only.
  private PendingState state;

  /// Opens the tables anew.
  public interface Repair {

    /// Returns when everything that is in the log is in the tables, and on disk.
    ///
    /// @param merging whether files may be merged from now on
    /// @param acknowledged the last outbox sequence that was; the tables must hold it
    /// @throws MemoryException when the disk still refuses, or something acknowledged is missing
    void reopen(boolean merging, long acknowledged);
  }

  /// A commit whose rows are in the batch.
  private record Accepted(CommitThread.Pending pending, List<Receipt> receipts) {}

  /// @param tips reads the store as it is now
  public GroupWriter(
      InstantSource clock,
      Supplier<PendingState> tips,
      BatchSink sink,
      DurableProgress progress,
      DiskSpaceGuard headroom,
      WitnessKeeper witness,
      Repair repair) {
    this.clock = clock;
    this.tips = tips;
    this.state = tips.get();
    this.sink = sink;
    this.progress = progress;
    this.headroom = headroom;
    this.witness = witness;
    this.repair = repair;
  }

  /// Why events are not taken; empty while they are.
  public Optional<String> problem() {
    WriteFailure fault = broken;
    return fault == null
        ? headroom.problem()
        : Optional.of("the store accepts no writes now: " + why(fault).getMessage());
  }

  /// Looks how much room there is, and mends what is broken when the time has come.
  @Override
  public void look() {
    long now = clock.millis();
    headroom.look(now);
    witness.look(now, progress.counters().outboxHead());
    WriteFailure fault = broken;
    if (fault == null || !fault.isDue(now)) {
      return;
    }
    if (fault.kind() != WriteFailure.Kind.SPACE || headroom.canReopen()) {
      mend(fault, now);
    }
  }

  private void mend(WriteFailure fault, long now) {
    try {
      repair.reopen(fault.kind() != WriteFailure.Kind.DAMAGE, progress.counters().outboxHead());
      state = tips.get();
      progress.restart(state.counters());
      broken = null;
      log.info("the store was opened anew after a failure and takes writes again");
    } catch (MemoryException e) {
      fault.later(now);
      if (e.code() == ErrorCode.STORE_DAMAGED) {
        // That is what has to be told from now on.
        broken = fault.because(e);
      }
      log.warn("the store could not be opened anew and takes no writes yet: {}", e.getMessage());
    }
  }

  @Override
  public void write(List<CommitThread.Pending> group) {
    WriteFailure fault = broken;
    if (fault != null) {
      fail(group, why(fault));
      return;
    }
    try {
      writeWhole(group);
    } catch (RocksDBException e) {
      fail(group, breaks(e));
    } catch (MemoryException e) {
      unreadable(group, e);
    } catch (RuntimeException | Error e) {
      fail(group, breaks(e));
      throw e;
    }
  }

  /// Something that has to be known cannot be read. Nothing was written; whoever needs it fails
  /// alone.
  private void unreadable(List<CommitThread.Pending> group, MemoryException why) {
    try {
      state = tips.get();
    } catch (MemoryException e) {
      fail(group, breaks(e));
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
      headroom.written(batch.size());
    }
    state.trim();
    progress.advance(state.counters(), accepted.size());
    accepted.forEach(one -> one.pending().answer().complete(one.receipts()));
  }

  /// A commit that is refused leaves the others alone.
  private List<Accepted> accept(List<CommitThread.Pending> group) {
    var accepted = new ArrayList<Accepted>(group.size());
    for (CommitThread.Pending pending : group) {
      try {
        List<Receipt> receipts = state.apply(pending.commit(), batch);
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
    WriteFailure.Kind kind = WriteFailure.Kind.of(cause);
    var why =
        new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "a write failed and was not acknowledged; check the disk (the store reopens"
                + " automatically)",
            cause);
    var fault = new WriteFailure(kind, why, clock.millis());
    broken = fault;
    log.error("a write failed; the store takes none until it was opened anew", cause);
    return why(fault);
  }

  private MemoryException why(WriteFailure fault) {
    return switch (fault.kind()) {
      case SPACE -> headroom.full(fault.why());
      case DAMAGE, REFUSAL -> fault.why();
    };
  }
}
