package dev.agentmemory.service;

import dev.agentmemory.toc.NodeRevert;
import dev.agentmemory.types.NodeId;

/// Gives a node the words of one of its versions; see [NodeRevert#revert].
public interface RevertNode {

  /// @throws dev.agentmemory.types.MemoryException `NOT_FOUND` when there is no such version or the
  ///   node was retired, `CONFLICT` when evidence of the old version is gone
  NodeRevert.Reverted revert(NodeId id, int version);
}
