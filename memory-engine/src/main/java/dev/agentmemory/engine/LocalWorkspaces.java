package dev.agentmemory.engine;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;

/// The workspaces of an engine, for a program that uses it as a library. A call waits for its
/// result.
record LocalWorkspaces(WorkspaceSource source) implements Workspaces {

  @Override
  public Page<WorkspaceReport> list(PageRequest page) {
    return source.workspaces(Optional.empty(), page);
  }

  @Override
  public Page<WorkspaceReport> troubled(PageRequest page) {
    return source.troubled(Optional.empty(), page);
  }

  @Override
  public boolean create(WorkspaceName name) {
    return MemoryException.join(source.create(name));
  }

  @Override
  public long delete(WorkspaceName name) {
    return MemoryException.join(source.delete(name));
  }
}
