package dev.agentmemory.toc;

import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// What nodes said before.
public final class NodeHistory {

  private static final int MOST_NAMED = 10;

  private final TocReader toc;

  public NodeHistory(TocReader toc) {
    this.toc = toc;
  }

  /// The kept versions of a node, newest first, also of a retired one.
  ///
  /// @param before only versions below this one
  /// @return empty when there are none
  public List<TocNode> versions(NodeId id, int before, int limit) {
    return toc.versions(id).reversed().stream()
        .filter(version -> version < before)
        .limit(limit)
        .map(version -> toc.node(id, version))
        .flatMap(Optional::stream)
        .toList();
  }

  /// @return that version, also of a retired node
  /// @throws MemoryException `NOT_FOUND` saying which versions there are
  public TocNode version(NodeId id, int version) {
    return toc.node(id, version).orElseThrow(() -> missing(id, version));
  }

  private MemoryException missing(NodeId id, int version) {
    List<Integer> kept = toc.versions(id);
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        kept.isEmpty()
            ? "there is no node " + id
            : "%s has no version %d; it has %s".formatted(id, version, listed(kept)));
  }

  /// The newest ones; there may be thousands.
  private static String listed(List<Integer> kept) {
    List<Integer> newest = kept.subList(Math.max(0, kept.size() - MOST_NAMED), kept.size());
    String text = newest.toString();
    return (kept.size() > MOST_NAMED ? "..., " : "") + text.substring(1, text.length() - 1);
  }
}
