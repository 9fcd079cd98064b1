package dev.agentmemory.store.derived;

import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// Reads every stored version of nodes and every grip, also those of retired nodes and of former
/// versions. Rows that cannot be read are skipped and reported
/// ([dev.agentmemory.store.PassedOver]).
public interface DerivedReader {

  /// Versions of all nodes, by node and version.
  ///
  /// @param after continue after this version of this node; empty to start
  /// @param limit at most that many, 1 and up
  List<TocNode> nodeVersions(Optional<TocNode> after, int limit);

  /// Nodes of segments that start on a day and have any version, also of retired ones, by id.
  ///
  /// @param after not included; empty to start
  /// @param limit at most that many, 1 and up
  List<NodeId> segmentNodes(NodeId day, Optional<NodeId> after, int limit);

  /// Grips by id.
  ///
  /// @param after not included; empty to start
  /// @param limit at most that many, 1 and up
  List<Grip> grips(Optional<GripId> after, int limit);
}
