package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.WorkspaceSource.Lease;
import dev.agentmemory.api.changes.ChangeFeed;
import dev.agentmemory.api.changes.ChangeReader;
import dev.agentmemory.engine.internal.changes.ChangeLogs;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Lets callers follow workspaces. A workspace is leased only to find out whether it can be read.
///
/// @param unnamed whose log callers follow that name no workspace
record FollowedWorkspaces(WorkspaceSource source, ChangeLogs logs, String unnamed)
    implements ChangeFeed {

  @Override
  public CompletableFuture<ChangeReader> follow(Optional<WorkspaceName> asked) {
    return source.lease(asked, Access.READ).thenApply(lease -> follow(lease, asked));
  }

  private ChangeReader follow(Lease leased, Optional<WorkspaceName> asked) {
    try (leased) {
      if (leased.sharesStore()) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "the changes of one workspace are not told where workspaces share a store"
                + " (multi_agent_mode = unified)");
      }
      return logs.use(asked.map(WorkspaceName::value).orElse(unnamed));
    }
  }
}
