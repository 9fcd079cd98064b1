package dev.agentmemory.service;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.proto.CreateWorkspaceRequest;
import dev.agentmemory.proto.CreateWorkspaceResponse;
import dev.agentmemory.proto.DeleteWorkspaceRequest;
import dev.agentmemory.proto.DeleteWorkspaceResponse;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.PageTokens;
import dev.agentmemory.wire.WorkspaceMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Which workspaces there are; creating and deleting them: map, call, map.
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
    Optional<WorkspaceName> after =
        Optional.of(request.getContinuationToken())
            .filter(token -> !token.isEmpty())
            .map(PageTokens::workspace);
    int limit = Limits.limit(request.getLimit(), 100, 1000);
    Optional<WorkspaceName> asked = AskedWorkspace.get();
    if (request.getOnlyProblems()) {
      reads.answer(observer, () -> page(troubled(asked, after), limit));
    } else {
      reads.answer(observer, () -> page(workspaces.workspaces(asked, after, limit + 1), limit));
    }
  }

  private List<WorkspaceReport> troubled(
      Optional<WorkspaceName> asked, Optional<WorkspaceName> after) {
    return workspaces.troubled(asked).stream()
        .filter(report -> after.isEmpty() || report.name().compareTo(after.get()) > 0)
        .toList();
  }

  @Override
  public void createWorkspace(
      CreateWorkspaceRequest request, StreamObserver<CreateWorkspaceResponse> observer) {
    answer(
        observer,
        workspaces
            .create(WorkspaceName.parse("name", request.getName()))
            .thenApply(
                created -> CreateWorkspaceResponse.newBuilder().setCreated(created).build()));
  }

  @Override
  public void deleteWorkspace(
      DeleteWorkspaceRequest request, StreamObserver<DeleteWorkspaceResponse> observer) {
    answer(
        observer,
        workspaces
            .delete(WorkspaceName.parse("name", request.getName()))
            .thenApply(bytes -> DeleteWorkspaceResponse.newBuilder().setDiskBytes(bytes).build()));
  }

  /// No thread waits for the answer.
  private static <T> void answer(StreamObserver<T> observer, CompletableFuture<T> answer) {
    CallPool.tolerateCancel((ServerCallStreamObserver<T>) observer);
    var _ =
        answer.whenComplete((message, failure) -> {
          if (failure != null) {
            observer.onError(failure);
            return;
          }
          observer.onNext(message);
          observer.onCompleted();
        });
  }

  private static ListWorkspacesResponse page(List<WorkspaceReport> read, int limit) {
    var page = Limits.page(read.stream().map(WorkspaceMessages::toWire).toList(), limit);
    var response = ListWorkspacesResponse.newBuilder().addAllWorkspaces(page.items());
    if (page.more()) {
      WorkspaceName last = read.get(page.items().size() - 1).name();
      response.setContinuationToken(PageTokens.afterWorkspace(last));
    }
    return response.build();
  }
}
