package dev.agentmemory.service;

import dev.agentmemory.toc.ChildPlace;
import dev.agentmemory.toc.FoundNodes;
import dev.agentmemory.toc.GripContext;
import dev.agentmemory.toc.NodeMatches;
import dev.agentmemory.toc.NodeQuery;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// What the handlers ask the table of contents; see [dev.agentmemory.toc.TocNavigator].
public interface Toc {

  /// The year nodes, newest first.
  List<TocNode> root();

  /// @return empty when there is no such node
  Optional<TocNode> node(NodeId id);

  /// Children in time order; those of no parent are the years. Empty for an unknown parent.
  List<TocNode> children(Optional<NodeId> parent, Optional<ChildPlace> after, int limit);

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` for an unknown node
  NodeMatches searchNode(NodeId id, NodeQuery query);

  /// Searches the level below the parent, or a deeper one; empty for an unknown parent.
  FoundNodes searchChildren(Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query);

  /// @return empty when there is no such grip
  Optional<GripContext> expand(GripId id, int before, int after);
}
