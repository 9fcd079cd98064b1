package dev.agentmemory.service;

import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.store.WorkspaceReport;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.PageTokens;
import dev.agentmemory.wire.WorkspaceMessages;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Optional;

/// Which workspaces there are: map, call, map.
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
    reads.answer(observer, () -> page(asked, after, limit));
  }

  private ListWorkspacesResponse page(
      Optional<WorkspaceName> asked, Optional<WorkspaceName> after, int limit) {
    List<WorkspaceReport> read = workspaces.workspaces(asked, after, limit + 1);
    var page = Limits.page(read.stream().map(WorkspaceMessages::toWire).toList(), limit);
    var response = ListWorkspacesResponse.newBuilder().addAllWorkspaces(page.items());
    if (page.more()) {
      WorkspaceName last = read.get(page.items().size() - 1).name();
      response.setContinuationToken(PageTokens.afterWorkspace(last));
    }
    return response.build();
  }
}
