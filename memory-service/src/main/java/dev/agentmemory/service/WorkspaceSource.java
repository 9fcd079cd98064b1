package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Gives each call what serves the workspace that it names.
public interface WorkspaceSource {

  /// What serves a workspace, for as long as a call lasts. Never waits: it is done already when the
  /// workspace is open; otherwise it is opened on a thread of its own, which then goes on with the
  /// call.
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

  /// Deletes a workspace with everything in it. A call that writes to it later creates it anew.
  ///
  /// @return the size of its files in bytes; fails with `NOT_FOUND` when there is none, `CONFLICT`
  ///   when calls keep using it for some seconds, or where workspaces share a store, and
  ///   `STORAGE_FAILED` when its files cannot be deleted
  CompletableFuture<Long> delete(WorkspaceName name);

  /// The workspaces that there are, by name; none is opened by that.
  ///
  /// @param after not included; empty to start with the first
  List<WorkspaceReport> workspaces(Optional<WorkspaceName> after, int limit);

  /// The same for a caller that may have named one. Where each has a store of its own it is told of
  /// all, as whoever can read the folder; where they share a store it sees no other one.
  ///
  /// @param asked what the caller named
  default List<WorkspaceReport> workspaces(
      Optional<WorkspaceName> asked, Optional<WorkspaceName> after, int limit) {
    return workspaces(after, limit);
  }

  /// Those that have a problem, by name; cheap enough to ask for with every status.
  ///
  /// @param asked what the caller named
  List<WorkspaceReport> troubled(Optional<WorkspaceName> asked);

  /// What a call may do to a workspace that does not exist.
  enum Access {
    /// It is refused.
    READ,
    /// It creates the workspace.
    WRITE
  }

  /// Keeps a workspace open until it is closed; closing it twice does nothing.
  interface Lease extends AutoCloseable {

    Services services();

    @Override
    void close();
  }
}
