package dev.agentmemory.engine;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;

/// The versions of one workspace's nodes in a store that workspaces share. Each has a tree of its
/// own, so a revert changes no other workspace's.
record OwnArchive(NodeArchive inner, WorkspaceName workspace) implements NodeArchive {

  @Override
  public List<TocNode> versions(NodeId id, int before, int limit) {
    return id.workspace().isPresent()
        ? List.of()
        : inner.versions(id.in(workspace), before, limit).stream().map(TocNode::plain).toList();
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return inner.version(own(id), version).plain();
  }

  @Override
  public Reverted revert(NodeId id, int version) {
    Reverted reverted = inner.revert(own(id), version);
    return new Reverted(reverted.node().plain(), reverted.changed());
  }

  private NodeId own(NodeId id) {
    if (id.workspace().isPresent()) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id);
    }
    return id.in(workspace);
  }
}
