package dev.agentmemory.api;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The nodes in which to look: those of one level, below a node or all.
public final class NodeScope {

  private static final NodeScope YEARS = new NodeScope(null, null);

  private final @Nullable NodeId parent;
  private final @Nullable TocLevel level;

  private NodeScope(@Nullable NodeId parent, @Nullable TocLevel level) {
    this.parent = parent;
    this.level = level;
  }

  /// All years.
  public static NodeScope years() {
    return YEARS;
  }

  /// The children of a node.
  public static NodeScope below(NodeId parent) {
    return new NodeScope(parent, null);
  }

  /// The same nodes' descendants of a level.
  public NodeScope at(TocLevel other) {
    return new NodeScope(parent, other);
  }

  /// Empty for the root.
  public Optional<NodeId> parent() {
    return Optional.ofNullable(parent);
  }

  /// Empty for the level right below the parent.
  public Optional<TocLevel> level() {
    return Optional.ofNullable(level);
  }
}
