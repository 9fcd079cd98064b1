package dev.agentmemory.service;

import dev.agentmemory.store.WorkspaceReport;
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
  /// @return fails with `QUEUE_FULL` when too many are in use, `CLOSED` when the daemon stops, and
  ///   with why the workspace cannot be opened
  CompletableFuture<Lease> lease(Optional<WorkspaceName> asked);

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

  /// Keeps a workspace open until it is closed; closing it twice does nothing.
  interface Lease extends AutoCloseable {

    Services services();

    @Override
    void close();
  }
}
