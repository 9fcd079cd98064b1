package dev.agentmemory.service;

import dev.agentmemory.api.Reverted;
import dev.agentmemory.proto.GetNodeVersionRequest;
import dev.agentmemory.proto.GetNodeVersionResponse;
import dev.agentmemory.proto.ListNodeVersionsRequest;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.RevertNodeRequest;
import dev.agentmemory.proto.RevertNodeResponse;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.wire.NodeMessages;
import io.grpc.stub.StreamObserver;
import java.util.List;

/// Versions of nodes: map, call, map.
final class TocRpc extends TocServiceGrpc.TocServiceImplBase {

  private static final int PAGE_DEFAULT = 20;
  private static final int PAGE_MOST = 1000;

  private final CallPool reads;
  private final CallPool work;

  /// @param work for what may have to wait until it is its turn to write
  TocRpc(CallPool reads, CallPool work) {
    this.reads = reads;
    this.work = work;
  }

  @Override
  public void listNodeVersions(
      ListNodeVersionsRequest request, StreamObserver<ListNodeVersionsResponse> observer) {
    NodeId id = node(request.getNodeId());
    int before = request.getBeforeVersion() <= 0 ? Integer.MAX_VALUE : request.getBeforeVersion();
    int limit = Limits.limit(request.getLimit(), PAGE_DEFAULT, PAGE_MOST);
    reads.answer(observer, services -> page(services.history(), id, before, limit));
  }

  private static ListNodeVersionsResponse page(
      NodeArchive history, NodeId id, int before, int limit) {
    List<TocNode> read = history.versions(id, before, limit + 1);
    if (read.isEmpty() && before == Integer.MAX_VALUE) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id);
    }
    var page = Limits.page(read.stream().map(NodeMessages::toWire).toList(), limit);
    return ListNodeVersionsResponse.newBuilder()
        .addAllVersions(page.items())
        .setHasMore(page.more())
        .build();
  }

  @Override
  public void getNodeVersion(
      GetNodeVersionRequest request, StreamObserver<GetNodeVersionResponse> observer) {
    NodeId id = node(request.getNodeId());
    int version = version(request.getVersion());
    reads.answer(
        observer,
        services ->
            GetNodeVersionResponse.newBuilder()
                .setNode(NodeMessages.toWire(services.history().version(id, version)))
                .build());
  }

  @Override
  public void revertNode(RevertNodeRequest request, StreamObserver<RevertNodeResponse> observer) {
    NodeId id = node(request.getNodeId());
    int version = version(request.getVersion());
    work.answer(
        observer,
        services -> {
          Reverted reverted = services.history().revert(id, version);
          return RevertNodeResponse.newBuilder()
              .setNode(NodeMessages.toWire(reverted.node()))
              .setChanged(reverted.changed())
              .build();
        });
  }

  private static NodeId node(String text) {
    return NodeMessages.nodeId("node_id", Limits.required("node_id", text));
  }

  private static int version(int version) {
    if (version < 1) {
      throw MemoryException.invalid("version", "is " + version + "; expected 1 or more");
    }
    return version;
  }
}
