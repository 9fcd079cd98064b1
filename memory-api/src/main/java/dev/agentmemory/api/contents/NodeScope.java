package dev.agentmemory.api.contents;

import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.util.Optional;

/// The nodes in which to look: those of one level, below a node or all.
///
/// @param parent empty for the root
/// @param level empty for the level right below the parent
public record NodeScope(Optional<NodeId> parent, Optional<TocLevel> level) {}
