package dev.agentmemory.engine;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The place that a workspace takes among the open ones, from before its store is opened until
/// after it is closed.
///
/// ```
/// opening -> open (0 and more are inside) -> leaving (nobody gets in any more) -> gone
/// ```
///
/// Getting in and out is one atomic step without a lock. All other steps are made by
/// [WorkspaceRegistry] under its lock.
final class WorkspaceHandle {

  /// In place of a count: nobody gets in.
  private static final int SHUT = -1;

  private final WorkspaceName name;
  private final Ticker ticker;
  private final AtomicInteger inside = new AtomicInteger(SHUT);
  private final CompletableFuture<WorkspaceHandle> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private volatile @Nullable OpenWorkspace workspace;
  private volatile Optional<Instant> usedBefore = Optional.empty();
  private volatile long touched;
  private volatile boolean called;

  // Below: under the lock of WorkspaceRegistry.
  private volatile boolean leaving;
  private @Nullable WorkspaceHandle successor;

  WorkspaceHandle(WorkspaceName name, Ticker ticker) {
    this.name = name;
    this.ticker = ticker;
    this.touched = ticker.nanos();
  }

  /// A handle that keeps its workspace closed until it is gone: nobody gets in, and nobody else
  /// opens the workspace.
  static WorkspaceHandle shut(WorkspaceName name, Ticker ticker) {
    var handle = new WorkspaceHandle(name, ticker);
    handle.leaving = true;
    handle.ready.complete(handle);
    return handle;
  }

  WorkspaceName name() {
    return name;
  }

  /// Keeps the handle open until [#exit]; false when it is not open.
  boolean enter() {
    int count = inside.get();
    while (count != SHUT && !inside.compareAndSet(count, count + 1)) {
      count = inside.get();
    }
    return count != SHUT;
  }

  void exit() {
    int count = inside.get();
    while (count != SHUT && !inside.compareAndSet(count, count - 1)) {
      count = inside.get();
    }
  }

  /// For a call that has entered.
  WorkspaceSource.Lease lease() {
    touch();
    return new HeldLease(this, new AtomicBoolean());
  }

  private void touch() {
    touched = ticker.nanos();
    called = true;
  }

  /// When a call last came or went, or else when the handle was made; of the ticker.
  long touched() {
    return touched;
  }

  /// Whether a call has ever come.
  boolean isCalled() {
    return called;
  }

  boolean isEmpty() {
    return inside.get() == 0;
  }

  /// When a call last came or went, also before the handle was made.
  Optional<Instant> lastUsed(Instant now, long nanos) {
    return called ? Optional.of(now.minusNanos(nanos - touched)) : usedBefore;
  }

  /// The store is open; whoever opened it is inside.
  ///
  /// @param lastUsed when a call used the workspace before
  void open(OpenWorkspace opened, Optional<Instant> lastUsed) {
    usedBefore = lastUsed;
    workspace = opened;
    inside.set(1);
  }

  /// Empty until it is open.
  Optional<OpenWorkspace> workspace() {
    return Optional.ofNullable(workspace);
  }

  /// Shuts the door if nobody is inside.
  boolean leave() {
    leaving = inside.compareAndSet(0, SHUT);
    return leaving;
  }

  /// Shuts the door whoever is inside; false when it is shut already, or was never open.
  boolean forceLeave() {
    boolean open = inside.getAndSet(SHUT) != SHUT;
    leaving |= open;
    return open;
  }

  boolean isLeaving() {
    return leaving;
  }

  boolean hasSuccessor() {
    return successor != null;
  }

  void setSuccessor(WorkspaceHandle next) {
    successor = next;
  }

  /// Done when it is open, or could not be opened.
  CompletableFuture<WorkspaceHandle> ready() {
    return ready;
  }

  /// Done when its store is closed, or could not be opened.
  CompletableFuture<Void> gone() {
    return gone;
  }

  /// One call's stay.
  private record HeldLease(WorkspaceHandle handle, AtomicBoolean over)
      implements WorkspaceSource.Lease {

    @Override
    public Memory memory() {
      return handle.workspace().orElseThrow().memory();
    }

    @Override
    public void close() {
      if (over.compareAndSet(false, true)) {
        handle.touch();
        handle.exit();
      }
    }
  }
}
