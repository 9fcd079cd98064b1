package dev.agentmemory.service;

import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.proto.GetNodeVersionRequest;
import dev.agentmemory.proto.GetNodeVersionResponse;
import dev.agentmemory.proto.GetNodesRequest;
import dev.agentmemory.proto.GetNodesResponse;
import dev.agentmemory.proto.ListNodeVersionsRequest;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.RevertNodeRequest;
import dev.agentmemory.proto.RevertNodeResponse;
import dev.agentmemory.proto.TocNode;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.wire.NodeMessages;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;

/// Several nodes, and versions of nodes: each call maps the request, calls the API and maps the
/// response.
final class TocRpc extends TocServiceGrpc.TocServiceImplBase {

  private static final String NODE_IDS = "node_ids";
  private static final int MOST_NODES = 100;

  private final CallPool reads;
  private final CallPool work;

  /// @param work pool for calls that may have to wait for other writers
  TocRpc(CallPool reads, CallPool work) {
    this.reads = reads;
    this.work = work;
  }

  @Override
  public void getNodes(GetNodesRequest request, StreamObserver<GetNodesResponse> observer) {
    List<NodeId> ids = nodes(request.getNodeIdsList());
    reads.answer(
        observer,
        memory -> {
          Contents contents = memory.contents();
          List<TocNode> found =
              ids.stream()
                  .flatMap(id -> contents.node(id).stream())
                  .map(NodeMessages::toWire)
                  .toList();
          List<TocNode> fitting = Limits.fittingOne(found);
          return GetNodesResponse.newBuilder()
              .addAllNodes(fitting)
              .setOmitted(found.size() - fitting.size())
              .build();
        });
  }

  private static List<NodeId> nodes(List<String> texts) {
    if (texts.isEmpty() || texts.size() > MOST_NODES) {
      throw MemoryException.invalid(
          NODE_IDS,
          "names %d nodes; give 1 to %d in a request".formatted(texts.size(), MOST_NODES));
    }
    List<NodeId> ids = texts.stream().map(text -> NodeMessages.nodeId(NODE_IDS, text)).toList();
    if (Set.copyOf(ids).size() < ids.size()) {
      throw MemoryException.invalid(NODE_IDS, "names a node twice; name each once");
    }
    return ids;
  }

  @Override
  public void listNodeVersions(
      ListNodeVersionsRequest request, StreamObserver<ListNodeVersionsResponse> observer) {
    NodeId id = node(request.getNodeId());
    reads.answer(
        observer,
        memory ->
            versions(
                memory.contents(),
                id,
                request.getBeforeVersion(),
                Math.max(0, request.getLimit())));
  }

  /// If the versions together are larger than a message may be, fewer of them are read again.
  private static ListNodeVersionsResponse versions(
      Contents contents, NodeId id, int before, int limit) {
    ListNodeVersionsResponse answer = NodeMessages.toWire(contents.versions(id, before, limit));
    while (answer.getSerializedSize() > Limits.ANSWER_BYTES && answer.getVersionsCount() > 1) {
      answer =
          NodeMessages.toWire(
              contents.versions(id, before, Limits.fewer(answer.getVersionsCount(), answer)));
    }
    return answer;
  }

  @Override
  public void getNodeVersion(
      GetNodeVersionRequest request, StreamObserver<GetNodeVersionResponse> observer) {
    NodeId id = node(request.getNodeId());
    int version = request.getVersion();
    reads.answer(
        observer,
        memory ->
            GetNodeVersionResponse.newBuilder()
                .setNode(NodeMessages.toWire(memory.contents().version(id, version)))
                .build());
  }

  @Override
  public void revertNode(RevertNodeRequest request, StreamObserver<RevertNodeResponse> observer) {
    NodeId id = node(request.getNodeId());
    int version = request.getVersion();
    work.answer(
        observer,
        memory -> {
          Reverted reverted = memory.contents().revert(id, version);
          return RevertNodeResponse.newBuilder()
              .setNode(NodeMessages.toWire(reverted.node()))
              .setChanged(reverted.changed())
              .build();
        });
  }

  private static NodeId node(String text) {
    return NodeMessages.nodeId("node_id", Limits.required("node_id", text));
  }
}
