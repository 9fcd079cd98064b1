package dev.agentmemory.client;

import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.contents.NodeScope;
import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.ExpandGripRequest;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.GetNodeRequest;
import dev.agentmemory.proto.GetNodeResponse;
import dev.agentmemory.proto.GetNodeVersionRequest;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.ListNodeVersionsRequest;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RevertNodeRequest;
import dev.agentmemory.proto.RevertNodeResponse;
import dev.agentmemory.proto.SearchChildrenRequest;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.wire.GripMessages;
import dev.agentmemory.wire.MatchMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.WireEnums;
import java.util.List;
import java.util.Optional;

/// The table of contents of a daemon.
record RemoteContents(Calls calls) implements Contents {

  @Override
  public List<TocNode> root() {
    return calls
        .call(MemoryServiceGrpc.getGetTocRootMethod(), GetTocRootRequest.getDefaultInstance())
        .getNodesList()
        .stream()
        .map(NodeMessages::fromWire)
        .toList();
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    GetNodeResponse answer =
        calls.call(
            MemoryServiceGrpc.getGetNodeMethod(),
            GetNodeRequest.newBuilder().setNodeId(id.value()).build());
    return answer.hasNode()
        ? Optional.of(NodeMessages.fromWire(answer.getNode()))
        : Optional.empty();
  }

  @Override
  public Page<TocNode> years(PageRequest page) {
    return browse(BrowseTocRequest.newBuilder(), page);
  }

  @Override
  public Page<TocNode> children(NodeId parent, PageRequest page) {
    return browse(BrowseTocRequest.newBuilder().setParentId(parent.value()), page);
  }

  private Page<TocNode> browse(BrowseTocRequest.Builder request, PageRequest page) {
    BrowseTocResponse answer =
        calls.call(
            MemoryServiceGrpc.getBrowseTocMethod(),
            request.setLimit(page.limit()).setContinuationToken(page.token()).build());
    return new Page<>(
        answer.getChildrenList().stream().map(NodeMessages::fromWire).toList(),
        answer.getContinuationToken());
  }

  @Override
  public List<NodeMatch> searchNode(NodeId id, NodeQuery query) {
    return MatchMessages.fromWire(
        calls.call(
            MemoryServiceGrpc.getSearchNodeMethod(),
            SearchNodeRequest.newBuilder()
                .setNodeId(id.value())
                .setQuery(query.text())
                .addAllFields(query.fields().stream().map(WireEnums.FIELD::toWire).toList())
                .setLimit(query.limit())
                .setTokenBudget(query.tokenBudget())
                .build()));
  }

  @Override
  public FoundNodes search(NodeScope scope, NodeQuery query) {
    var request =
        SearchChildrenRequest.newBuilder()
            .setQuery(query.text())
            .addAllFields(query.fields().stream().map(WireEnums.FIELD::toWire).toList())
            .setLimit(query.limit())
            .setTokenBudget(query.tokenBudget());
    scope.parent().ifPresent(id -> request.setParentId(id.value()));
    scope.level().map(WireEnums.LEVEL::toWire).ifPresent(request::setChildLevel);
    return MatchMessages.fromWire(
        calls.call(MemoryServiceGrpc.getSearchChildrenMethod(), request.build()));
  }

  @Override
  public Optional<GripContext> expand(GripId id, int before, int after) {
    ExpandGripResponse answer =
        calls.call(
            MemoryServiceGrpc.getExpandGripMethod(),
            ExpandGripRequest.newBuilder()
                .setGripId(id.value())
                .setEventsBefore(before)
                .setEventsAfter(after)
                .build());
    return answer.hasGrip() ? Optional.of(GripMessages.fromWire(answer)) : Optional.empty();
  }

  @Override
  public NodeVersions versions(NodeId id, int before, int limit) {
    ListNodeVersionsResponse answer =
        calls.call(
            TocServiceGrpc.getListNodeVersionsMethod(),
            ListNodeVersionsRequest.newBuilder()
                .setNodeId(id.value())
                .setBeforeVersion(before)
                .setLimit(limit)
                .build());
    return NodeMessages.fromWire(answer);
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return NodeMessages.fromWire(
        calls
            .call(
                TocServiceGrpc.getGetNodeVersionMethod(),
                GetNodeVersionRequest.newBuilder()
                    .setNodeId(id.value())
                    .setVersion(version)
                    .build())
            .getNode());
  }

  @Override
  public Reverted revert(NodeId id, int version) {
    RevertNodeResponse answer =
        calls.call(
            TocServiceGrpc.getRevertNodeMethod(),
            RevertNodeRequest.newBuilder().setNodeId(id.value()).setVersion(version).build());
    return new Reverted(NodeMessages.fromWire(answer.getNode()), answer.getChanged());
  }
}
