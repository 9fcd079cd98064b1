package dev.agentmemory.client;

import java.util.List;

/// The nodes that a query found.
///
/// @param nodes the most relevant first
/// @param more whether limit or budget cut the answer
public record FoundNodes(List<FoundNode> nodes, boolean more) {

  public FoundNodes {
    nodes = List.copyOf(nodes);
  }
}
