package dev.agentmemory.engine.internal.erase;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;

/// The versions of nodes without those that say what an erasure that goes on removes.
public record VisibleHistory(NodeArchive all, Withheld withheld) implements NodeArchive {

  @Override
  public List<TocNode> versions(NodeId id, int before, int limit) {
    return all.versions(id, before, limit).stream().map(withheld::shown).toList();
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return withheld.shown(all.version(id, version));
  }

  @Override
  public Reverted revert(NodeId id, int version) {
    if (withheld.hides(id)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "node %s is summarised again, because some of its events are erased; try again later"
              .formatted(id));
    }
    return all.revert(id, version);
  }
}
