package dev.agentmemory.toc;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// Finds its way in the table of contents.
public final class TocNavigator {

  public TocNavigator(
      TocReader toc,
      EventReader events,
      SessionReader sessions,
      GripReader grips,
      TokenCounter tokens) {}

  public List<TocNode> root() {
    return List.of();
  }

  public Optional<TocNode> node(NodeId id) {
    return Optional.empty();
  }

  public List<TocNode> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit) {
    return List.of();
  }

  public NodeMatches searchNode(NodeId id, NodeQuery query) {
    return new NodeMatches(id, List.of());
  }

  public FoundNodes searchChildren(
      Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query) {
    return new FoundNodes(List.of(), false);
  }

  public Optional<GripContext> expand(GripId id, int before, int after) {
    return Optional.empty();
  }
}
