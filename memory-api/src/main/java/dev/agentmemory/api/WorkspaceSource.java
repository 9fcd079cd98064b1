package dev.agentmemory.api;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Gives each call the memory of the workspace that it names.
public interface WorkspaceSource {

  /// The memory of a workspace, for as long as a call lasts. Never waits: it is done already when
  /// the workspace is open; otherwise it is opened on a thread of its own, which then goes on with
  /// the call.
  ///
  /// @param asked what the caller named; empty is the workspace of callers that name none
  /// @param access whether the call may create the workspace
  /// @return fails with `NOT_FOUND` when a call that only reads names a workspace that there is
  ///   not, `QUEUE_FULL` when too many are in use, `CLOSED` when the daemon stops, and with why the
  ///   workspace cannot be opened
  CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access);

  /// Creates a workspace where there is none.
  ///
  /// @return whether it was not there before; fails as [#lease] does, and with `CONFLICT` where
  ///   workspaces share a store
  CompletableFuture<Boolean> create(WorkspaceName name);

  /// Deletes a workspace with everything in it. A call that writes to it later creates it again.
  ///
  /// @return the size of its files in bytes; fails with `NOT_FOUND` when there is none, `CONFLICT`
  ///   when calls keep using it for some seconds, or where workspaces share a store, and
  ///   `STORAGE_FAILED` when its files cannot be deleted
  CompletableFuture<Long> delete(WorkspaceName name);

  /// Lists the workspaces by name, without opening them. If each has its own store, a caller sees
  /// all of them; if they share a store, a caller that names one sees only that one.
  ///
  /// @param asked what the caller named
  /// @param page 100 workspaces by default, 1,000 at most
  Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page);

  /// Those that have a problem, by name; cheap enough to ask for with every status.
  ///
  /// @param asked what the caller named
  /// @param page as for [#workspaces]
  Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page);

  /// What a call may do to a workspace that does not exist.
  enum Access {
    /// It is refused.
    READ,
    /// It creates the workspace.
    WRITE
  }

  /// Keeps a workspace open until it is closed; closing it twice does nothing.
  interface Lease extends AutoCloseable {

    Memory memory();

    /// Whether rows of other workspaces lie in the same store, of which nothing may be told.
    default boolean sharesStore() {
      return false;
    }

    @Override
    void close();
  }
}
