package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Rows;
import dev.agentmemory.storage.upkeep.StoreUpkeep;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the groups one after the other: one batch for each group, then all of its commits are
/// answered. While it is written the next group gathers.
///
/// When a write fails, no commit of the group is acknowledged. Only opening the rows again shows
/// whether the group was written. So every further commit fails until the rows were opened again.
/// That is tried repeatedly: after a full disk as soon as there is space, otherwise at increasing
/// intervals. Reads continue.
public final class GroupWriter implements CommitThread.Work {

  private static final Logger log = LoggerFactory.getLogger(GroupWriter.class);

  private final InstantSource clock;
  private final Supplier<PendingState> states;
  private final Rows rows;
  private final DurableProgress progress;
  private final StoreUpkeep upkeep;
  private final RowBatch batch;
  private volatile @Nullable WriteFailure writeFailure;

  /// Used by the thread that writes only.
  private PendingState state;

  /// A commit whose rows are in the batch.
  private record Accepted(CommitThread.Pending pending, List<Receipt> receipts) {}

  /// @param states creates the pending state from the current content of the store
  public GroupWriter(
      InstantSource clock,
      Supplier<PendingState> states,
      Rows rows,
      DurableProgress progress,
      StoreUpkeep upkeep) {
    this.clock = clock;
    this.states = states;
    this.state = states.get();
    this.rows = rows;
    this.batch = rows.batch();
    this.progress = progress;
    this.upkeep = upkeep;
  }

  /// Why events are not accepted; empty while they are.
  public Optional<String> problem() {
    WriteFailure failure = writeFailure;
    return failure == null
        ? upkeep.problem()
        : Optional.of("the store accepts no writes now: " + why(failure).getMessage());
  }

  /// Checks the free space, and tries to reopen the tables after a failure when the next attempt is
  /// due.
  @Override
  public void look() {
    long now = clock.millis();
    upkeep.look(now, progress.counters());
    WriteFailure failure = writeFailure;
    boolean taken = failure != null && failure.kind() == StoreUpkeep.Failure.TAKEN_OVER;
    if (failure == null || taken || !failure.isDue(now)) {
      return;
    }
    if (failure.kind() != StoreUpkeep.Failure.SPACE || upkeep.hasSpace()) {
      reopen(failure, now);
    }
  }

  @Override
  public boolean isLookDue() {
    return writeFailure != null || upkeep.isLookDue(clock.millis());
  }

  private void reopen(WriteFailure failure, long now) {
    try {
      upkeep.reopen(failure.kind(), progress.counters());
      state = states.get();
      progress.restart(state.counters());
      writeFailure = null;
      log.info("the store was reopened after a failure and accepts writes again");
    } catch (MemoryException e) {
      failure.later(now);
      if (e.code() == ErrorCode.NOT_OWNER) {
        writeFailure = new WriteFailure(StoreUpkeep.Failure.TAKEN_OVER, e, now);
      } else if (e.code() == ErrorCode.STORE_DAMAGED) {
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
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.NOT_OWNER) {
        fail(group, stopWrites(StoreUpkeep.Failure.TAKEN_OVER, e));
      } else {
        unreadable(group, e);
      }
    } catch (RuntimeException | Error e) {
      fail(group, stopWrites(StoreUpkeep.Failure.REFUSAL, e));
      throw e;
    }
  }

  /// Handles a stored row that is needed and cannot be read. Nothing was written, and only the
  /// commits that need the row fail.
  private void unreadable(List<CommitThread.Pending> group, MemoryException why) {
    try {
      state = states.get();
    } catch (MemoryException e) {
      fail(group, stopWrites(StoreUpkeep.Failure.REFUSAL, e));
      return;
    }
    if (group.size() == 1) {
      fail(group, why);
    } else {
      group.forEach(pending -> write(List.of(pending)));
    }
  }

  private void writeWhole(List<CommitThread.Pending> group) {
    batch.clear();
    state.begin(group.stream().map(CommitThread.Pending::commit).toList());
    List<Accepted> accepted = accept(group);
    state.finish(batch);
    if (batch.rows() > 0) {
      try {
        rows.write(batch);
      } catch (MemoryException e) {
        fail(group, stopWrites(StoreUpkeep.Failure.of(e), e));
        return;
      }
      upkeep.written(batch.size());
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

  private MemoryException stopWrites(StoreUpkeep.Failure kind, Throwable cause) {
    var failure = new WriteFailure(kind, reason(kind, cause), clock.millis());
    writeFailure = failure;
    if (kind == StoreUpkeep.Failure.TAKEN_OVER) {
      log.warn("{} accepts no writes any more: {}", rows.name(), cause.getMessage());
    } else {
      log.error(
          "a write to {} failed; the store accepts none until it is reopened", rows.name(), cause);
    }
    return why(failure);
  }

  private static MemoryException reason(StoreUpkeep.Failure kind, Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return switch (kind) {
      case TAKEN_OVER -> new MemoryException(ErrorCode.NOT_OWNER, message, cause);
      case DAMAGE -> new MemoryException(ErrorCode.STORAGE_FAILED, message, cause);
      case SPACE, REFUSAL ->
          new MemoryException(
              ErrorCode.STORAGE_FAILED,
              "a write failed and was not acknowledged;"
                  + " check the disk (the store reopens automatically)",
              cause);
    };
  }

  private MemoryException why(WriteFailure failure) {
    return switch (failure.kind()) {
      case SPACE -> upkeep.full(failure.why());
      case DAMAGE, REFUSAL, TAKEN_OVER -> failure.why();
    };
  }
}
