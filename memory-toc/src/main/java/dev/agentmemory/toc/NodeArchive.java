package dev.agentmemory.toc;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;

/// The versions of nodes, for callers who may see all of them or only some; see [NodeHistory].
public interface NodeArchive {

  /// The kept versions of a node, newest first, also of a retired one.
  ///
  /// @param before only versions below this one
  /// @return empty when there are none
  List<TocNode> versions(NodeId id, int before, int limit);

  /// @return that version, also of a retired node
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such version
  TocNode version(NodeId id, int version);

  /// Gives a node the words of one of its versions.
  ///
  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such version or the
  ///   node was retired, `CONFLICT` when evidence of the old version is gone, `INVALID_FIELD` when
  ///   the node has no words of its own
  Reverted revert(NodeId id, int version);
}
