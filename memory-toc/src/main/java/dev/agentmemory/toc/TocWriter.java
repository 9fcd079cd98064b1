package dev.agentmemory.toc;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.NodeId;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// The one place at which the table of contents is written. The outbox projection and the jobs take
/// turns here, so what one reads stays true until its commit is in. Turns are fair: a rollup is not
/// starved by a long backlog.
public final class TocWriter {

  private final InstantSource clock;
  private final MemoryStore store;
  private final boolean upgrading;
  private final Consumer<Set<NodeId>> listener;
  private final AtomicLong erasures = new AtomicLong();
  private final ReentrantLock turn = new ReentrantLock(/* fair= */ true);

  /// @param upgrading whether final nodes are marked for a model's summary
  /// @param listener called with every node that was written or retired, once that is durable, on
  ///   the thread that wrote it and before the next write; must be short
  public TocWriter(
      InstantSource clock, MemoryStore store, boolean upgrading, Consumer<Set<NodeId>> listener) {
    this.clock = clock;
    this.store = store;
    this.upgrading = upgrading;
    this.listener = listener;
  }

  /// How often events were erased. What was read of events before may not be there any more.
  long erasures() {
    return erasures.get();
  }

  /// Events were erased, under the turn.
  void erased() {
    erasures.incrementAndGet();
  }

  MemoryStore store() {
    return store;
  }

  InstantSource clock() {
    return clock;
  }

  /// Drafts and commits in one turn; writes nothing when the draft is empty.
  <T> T write(Function<TocTransaction, T> work) {
    return write(Optional.empty(), work);
  }

  /// The same, and the checkpoint is in the commit.
  <T> T write(Checkpoint checkpoint, Function<TocTransaction, T> work) {
    return write(Optional.of(checkpoint), work);
  }

  /// Holds the turn over several commits.
  <T> T hold(Supplier<T> work) {
    try (var _ = Mutex.hold(turn)) {
      return work.get();
    }
  }

  <T> T write(Optional<Checkpoint> checkpoint, Function<TocTransaction, T> work) {
    return hold(() -> {
      var draft = new TocTransaction(store, clock, upgrading);
      T result = work.apply(draft);
      List<Change> changes = draft.changes();
      if (!changes.isEmpty() || checkpoint.isPresent()) {
        store.commit(new Commit(changes, checkpoint));
      }
      if (!draft.nodes().isEmpty()) {
        listener.accept(draft.nodes());
      }
      return result;
    });
  }
}
