package dev.agentmemory.gateway.hook;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.WorkspaceName;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Gives leases that wait for something, or fail with it.
///
/// @param before what each lease waits for
record Leases(WorkspaceSource inner, Function<Access, CompletableFuture<Void>> before)
    implements WorkspaceSource {

  @Override
  public CompletableFuture<Lease> lease(Optional<WorkspaceName> asked, Access access) {
    return before.apply(access).thenCompose(_ -> inner.lease(asked, access));
  }

  @Override
  public CompletableFuture<Boolean> create(WorkspaceName name) {
    return inner.create(name);
  }

  @Override
  public CompletableFuture<Long> delete(WorkspaceName name) {
    return inner.delete(name);
  }

  @Override
  public Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page) {
    return inner.workspaces(asked, page);
  }

  @Override
  public Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page) {
    return inner.troubled(asked, page);
  }
}
