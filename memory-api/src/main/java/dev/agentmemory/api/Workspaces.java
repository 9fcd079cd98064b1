package dev.agentmemory.api;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.WorkspaceName;

/// The workspaces of a data directory. Calls wait for their results. A server, which must not wait,
/// uses [WorkspaceSource].
public interface Workspaces {

  /// All of them, by name; none is opened for it.
  ///
  /// @param page 100 workspaces by default, 1,000 at most
  Page<WorkspaceReport> list(PageRequest page);

  /// Those with a problem, by name. It costs less than [#list]: the others are not counted.
  ///
  /// @param page as for [#list]
  Page<WorkspaceReport> troubled(PageRequest page);

  /// Creates a workspace.
  ///
  /// @return whether it did not exist before
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` where workspaces share a store
  boolean create(WorkspaceName name);

  /// Deletes a workspace with everything in it; may take a while. A call that writes to it later
  /// creates it again.
  ///
  /// @return the size of its files in bytes
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is none, `CONFLICT` when
  ///   calls are using it or where workspaces share a store
  long delete(WorkspaceName name);
}
