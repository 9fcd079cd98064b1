package dev.agentmemory.engine;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// The versions of all nodes in a store that workspaces share. A period without a name is put
/// together when it is read: it has no words of its own to go back to, the nodes that it is made of
/// have.
///
/// @param toc the joint table of contents
record JointArchive(NodeArchive inner, TocReader toc) implements NodeArchive {

  @Override
  public List<TocNode> versions(NodeId id, int before, int limit) {
    if (isStored(id)) {
      return inner.versions(id, before, limit);
    }
    return toc.versions(id).reversed().stream()
        .filter(version -> version < before)
        .limit(limit)
        .map(version -> toc.node(id, version))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return isStored(id)
        ? inner.version(id, version)
        : toc.node(id, version).orElseThrow(() -> missing(id, version));
  }

  @Override
  public Reverted revert(NodeId id, int version) {
    if (!isStored(id)) {
      throw MemoryException.invalid(
          "node_id",
          "is the merged node of all workspaces; revert the node of one workspace, such as "
              + id
              + "@NAME");
    }
    return inner.revert(id, version);
  }

  private static boolean isStored(NodeId id) {
    return id.level() == TocLevel.SEGMENT || id.workspace().isPresent();
  }

  private static MemoryException missing(NodeId id, int version) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        "there is no version "
            + version
            + " of "
            + id
            + "; of a merged node only the current version can be read");
  }
}
