package dev.agentmemory.api.contents;

import java.util.List;

/// What a search below a node found, the most relevant first.
///
/// @param more whether limit or token budget cut the answer
public record FoundNodes(List<FoundNode> nodes, boolean more) {

  public FoundNodes {
    nodes = List.copyOf(nodes);
  }
}
