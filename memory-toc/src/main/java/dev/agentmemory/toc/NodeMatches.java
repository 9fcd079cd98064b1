package dev.agentmemory.toc;

import dev.agentmemory.types.NodeId;
import java.util.List;

/// What a search found in one node, the best first.
public record NodeMatches(NodeId node, List<NodeMatch> matches) {

  public NodeMatches {
    matches = List.copyOf(matches);
  }
}
