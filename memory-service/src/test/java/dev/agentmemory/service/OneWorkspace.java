package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A source with one workspace, which is always open and serves every name.
record OneWorkspace(Memory memory) implements WorkspaceSource, WorkspaceSource.Lease {

  static WorkspaceSource of(Memory memory) {
    return new OneWorkspace(memory);
  }

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page) {
    return new Page<>(List.of(), "");
  }

  @Override
  public Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page) {
    return new Page<>(List.of(), "");
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
