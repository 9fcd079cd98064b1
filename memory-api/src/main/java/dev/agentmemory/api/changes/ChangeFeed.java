package dev.agentmemory.api.changes;

import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Tells what is changed in workspaces.
@FunctionalInterface
public interface ChangeFeed {

  /// Begins to note what is changed in a workspace, if that is not noted already.
  ///
  /// @param asked what the caller named; empty is the workspace of callers that name none
  /// @return fails as a lease for reading does, and with `CONFLICT` for a caller that names a
  ///   workspace where workspaces share a store
  CompletableFuture<ChangeReader> follow(Optional<WorkspaceName> asked);
}
