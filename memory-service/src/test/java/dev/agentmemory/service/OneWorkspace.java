package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A source with one workspace, which is always open and serves every name.
record OneWorkspace(Services services) implements WorkspaceSource, WorkspaceSource.Lease {

  static WorkspaceSource of(Services services) {
    return new OneWorkspace(services);
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public List<WorkspaceReport> workspaces(Optional<WorkspaceName> after, int limit) {
    return List.of();
  }

  @Override
  public List<WorkspaceReport> troubled(Optional<WorkspaceName> asked) {
    return List.of();
  }

  @Override
  public CompletableFuture<Boolean> create(WorkspaceName name) {
    return CompletableFuture.completedFuture(false);
  }

  @Override
  public CompletableFuture<Long> delete(WorkspaceName name) {
    return CompletableFuture.failedFuture(new AssertionError("cannot be deleted"));
  }

  @Override
  public void close() {}
}
