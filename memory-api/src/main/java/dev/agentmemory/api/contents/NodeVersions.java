package dev.agentmemory.api.contents;

import dev.agentmemory.types.TocNode;
import java.util.List;

/// Kept versions of a node.
///
/// @param versions newest first
/// @param more whether there are older ones
public record NodeVersions(List<TocNode> versions, boolean more) {

  public NodeVersions {
    versions = List.copyOf(versions);
  }
}
