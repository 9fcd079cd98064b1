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

/// A reference-counted handle of an open workspace. It exists from before the store is opened until
/// after the store is closed.
///
/// ```
/// opening -> open (0 or more references) -> closing (no new references) -> closed
/// ```
///
/// Acquiring and releasing is one atomic step without a lock. All other steps are made by
/// [WorkspaceRegistry] under its lock.
final class WorkspaceHandle {

  /// In place of the count when the handle cannot be acquired.
  private static final int CLOSED = -1;

  private final WorkspaceName name;
  private final Ticker ticker;
  private final AtomicInteger references = new AtomicInteger(CLOSED);
  private final CompletableFuture<WorkspaceHandle> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile @Nullable OpenWorkspace workspace;
  private volatile Optional<Instant> usedBefore = Optional.empty();
  private volatile long touched;
  private volatile boolean called;

  // Below: under the lock of WorkspaceRegistry.
  private volatile boolean closing;
  private @Nullable WorkspaceHandle successor;

  WorkspaceHandle(WorkspaceName name, Ticker ticker) {
    this.name = name;
    this.ticker = ticker;
    this.touched = ticker.nanos();
  }

  /// A handle that keeps its workspace closed: it cannot be acquired, and the workspace cannot be
  /// opened until it is removed.
  static WorkspaceHandle keptClosed(WorkspaceName name, Ticker ticker) {
    var handle = new WorkspaceHandle(name, ticker);
    handle.closing = true;
    handle.ready.complete(handle);
    return handle;
  }

  WorkspaceName name() {
    return name;
  }

  /// Whether the store has become another process's for good, so that the workspace answers nothing
  /// until it was closed and opened again.
  boolean isLost() {
    OpenWorkspace opened = workspace;
    return opened != null && opened.ownership().isLost();
  }

  /// Keeps the workspace open until [#release]; false if it is not open.
  boolean acquire() {
    int count = references.get();
    while (count != CLOSED && !references.compareAndSet(count, count + 1)) {
      count = references.get();
    }
    return count != CLOSED;
  }

  void release() {
    int count = references.get();
    while (count != CLOSED && !references.compareAndSet(count, count - 1)) {
      count = references.get();
    }
  }

  /// For a call that has acquired the handle.
  WorkspaceSource.Lease lease() {
    touch();
    return new HeldLease(this, new AtomicBoolean());
  }

  private void touch() {
    touched = ticker.nanos();
    called = true;
  }

  /// Ticker time at which a call last acquired or released it, or else of its creation.
  long touched() {
    return touched;
  }

  /// Whether a call has ever acquired it.
  boolean isCalled() {
    return called;
  }

  boolean isEmpty() {
    return references.get() == 0;
  }

  /// When a call last used the workspace, also before this handle was created.
  Optional<Instant> lastUsed(Instant now, long nanos) {
    return called ? Optional.of(now.minusNanos(nanos - touched)) : usedBefore;
  }

  /// The store is open. The thread that opened it holds the first reference.
  ///
  /// @param lastUsed when a call used the workspace before
  void open(OpenWorkspace opened, Optional<Instant> lastUsed) {
    usedBefore = lastUsed;
    workspace = opened;
    references.set(1);
  }

  /// Empty until it is open.
  Optional<OpenWorkspace> workspace() {
    return Optional.ofNullable(workspace);
  }

  /// Starts closing if there are no references.
  boolean closeIfUnused() {
    closing = references.compareAndSet(0, CLOSED);
    return closing;
  }

  /// Starts closing despite references; false if it is closing already or was never open.
  boolean forceClose() {
    boolean open = references.getAndSet(CLOSED) != CLOSED;
    closing |= open;
    return open;
  }

  boolean isClosing() {
    return closing;
  }

  boolean hasSuccessor() {
    return successor != null;
  }

  void setSuccessor(WorkspaceHandle next) {
    successor = next;
  }

  /// Completes when the store is open or could not be opened.
  CompletableFuture<WorkspaceHandle> ready() {
    return ready;
  }

  /// Completes when the store is closed or could not be opened.
  CompletableFuture<Void> closed() {
    return closed;
  }

  /// The lease of one call.
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
        handle.release();
      }
    }
  }
}
