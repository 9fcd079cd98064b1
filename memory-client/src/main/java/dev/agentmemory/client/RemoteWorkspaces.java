package dev.agentmemory.client;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.CreateWorkspaceRequest;
import dev.agentmemory.proto.DeleteWorkspaceRequest;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.WorkspaceMessages;

/// The workspaces of a daemon.
record RemoteWorkspaces(Calls calls) implements Workspaces {

  @Override
  public Page<WorkspaceReport> list(PageRequest page) {
    return list(ListWorkspacesRequest.newBuilder(), page);
  }

  @Override
  public Page<WorkspaceReport> troubled(PageRequest page) {
    return list(ListWorkspacesRequest.newBuilder().setOnlyProblems(true), page);
  }

  private Page<WorkspaceReport> list(ListWorkspacesRequest.Builder request, PageRequest page) {
    ListWorkspacesResponse answer =
        calls.call(
            WorkspaceServiceGrpc.getListWorkspacesMethod(),
            request.setLimit(page.limit()).setContinuationToken(page.token()).build());
    return new Page<>(
        answer.getWorkspacesList().stream().map(WorkspaceMessages::fromWire).toList(),
        answer.getContinuationToken());
  }

  @Override
  public boolean create(WorkspaceName name) {
    return calls
        .call(
            WorkspaceServiceGrpc.getCreateWorkspaceMethod(),
            CreateWorkspaceRequest.newBuilder().setName(name.value()).build())
        .getCreated();
  }

  @Override
  public long delete(WorkspaceName name) {
    return calls
        .work(
            WorkspaceServiceGrpc.getDeleteWorkspaceMethod(),
            DeleteWorkspaceRequest.newBuilder().setName(name.value()).build())
        .getDiskBytes();
  }
}
