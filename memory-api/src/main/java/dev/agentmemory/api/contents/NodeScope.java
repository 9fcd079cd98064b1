package dev.agentmemory.api.contents;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.util.Objects;
import java.util.Optional;

/// The nodes in which to look: those of one level, below a node or all.
///
/// @param parent empty for the root
/// @param level empty for the level right below the parent
public record NodeScope(Optional<NodeId> parent, Optional<TocLevel> level) {

  private static final NodeScope YEARS = new NodeScope(Optional.empty(), Optional.empty());

  public NodeScope {
    Objects.requireNonNull(parent, "parent");
    Objects.requireNonNull(level, "level");
  }

  /// All years.
  public static NodeScope years() {
    return YEARS;
  }

  /// The children of a node.
  public static NodeScope below(NodeId parent) {
    return new NodeScope(Optional.of(parent), Optional.empty());
  }

  /// The same nodes' descendants of a level.
  public NodeScope at(TocLevel other) {
    return new NodeScope(parent, Optional.of(other));
  }
}
