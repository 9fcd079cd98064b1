package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.CreateWorkspaceRequest;
import dev.agentmemory.proto.CreateWorkspaceResponse;
import dev.agentmemory.proto.DeleteWorkspaceRequest;
import dev.agentmemory.proto.DeleteWorkspaceResponse;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.WorkspaceMessages;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/// Listing, creating and deleting workspaces: each call maps the request, calls the API and maps
/// the response.
final class WorkspaceRpc extends WorkspaceServiceGrpc.WorkspaceServiceImplBase {

  private final WorkspaceSource workspaces;
  private final CallPool reads;

  WorkspaceRpc(WorkspaceSource workspaces, CallPool reads) {
    this.workspaces = workspaces;
    this.reads = reads;
  }

  @Override
  public void listWorkspaces(
      ListWorkspacesRequest request, StreamObserver<ListWorkspacesResponse> observer) {
    Optional<WorkspaceName> asked = RequestedWorkspace.get();
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    reads.answer(
        observer,
        () ->
            Limits.paged(
                page,
                next ->
                    request.getOnlyProblems()
                        ? workspaces.troubled(asked, next)
                        : workspaces.workspaces(asked, next),
                WorkspaceRpc::toWire));
  }

  private static ListWorkspacesResponse toWire(Page<WorkspaceReport> page) {
    var answer =
        ListWorkspacesResponse.newBuilder()
            .addAllWorkspaces(page.items().stream().map(WorkspaceMessages::toWire).toList());
    page.next().ifPresent(answer::setContinuationToken);
    return answer.build();
  }

  @Override
  public void createWorkspace(
      CreateWorkspaceRequest request, StreamObserver<CreateWorkspaceResponse> observer) {
    WorkspaceName name = WorkspaceName.parse("name", request.getName());
    reads.answerLater(
        observer,
        () ->
            workspaces
                .create(name)
                .thenApply(
                    created -> CreateWorkspaceResponse.newBuilder().setCreated(created).build()));
  }

  @Override
  public void deleteWorkspace(
      DeleteWorkspaceRequest request, StreamObserver<DeleteWorkspaceResponse> observer) {
    WorkspaceName name = WorkspaceName.parse("name", request.getName());
    reads.answerLater(
        observer,
        () ->
            workspaces
                .delete(name)
                .thenApply(
                    bytes -> DeleteWorkspaceResponse.newBuilder().setDiskBytes(bytes).build()));
  }
}
