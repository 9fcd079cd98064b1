package dev.agentmemory.api.contents;

import dev.agentmemory.types.NodeId;
import java.util.List;

/// A node that contains words of a query.
///
/// @param matches the best first
/// @param relevance above 0; comparable inside one answer only
public record FoundNode(NodeId id, String title, List<NodeMatch> matches, double relevance) {

  public FoundNode {
    matches = List.copyOf(matches);
  }
}
