package dev.agentmemory.store;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// Reads the table of contents.
public interface TocReader {

  /// @return the latest version, empty when the node does not exist or was retired
  Optional<TocNode> node(NodeId id);

  /// @return the latest versions of those nodes that exist, in the order of the ids
  List<TocNode> nodes(List<NodeId> ids);

  /// @return that version, also of a retired node; empty when it was never written or was replaced
  Optional<TocNode> node(NodeId id, int version);

  /// @return the kept version numbers, ascending, also of a retired node
  List<Integer> versions(NodeId id);

  /// Ids of the existing nodes of one level in the order of their text.
  ///
  /// @param after continue after this node; empty to start
  List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit);

  /// Nodes of one level that are marked dirty, in the order of their ids.
  List<NodeId> dirty(TocLevel level, int limit);

  /// Whether a node is marked dirty.
  boolean isDirty(NodeId id);

  /// Nodes of one level that are marked for an upgrade, the latest first: against the order of
  /// their ids.
  ///
  /// @param before continue with nodes before this one, marked or not; empty to start
  List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit);

  /// Whether a node is marked for an upgrade.
  boolean awaitsUpgrade(NodeId id);
}
