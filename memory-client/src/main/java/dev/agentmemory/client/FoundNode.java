package dev.agentmemory.client;

import dev.agentmemory.types.NodeId;
import java.util.List;
import java.util.Objects;

/// A node that a query found.
///
/// @param relevance higher is better, comparable inside one answer only
public record FoundNode(NodeId id, String title, List<Match> matches, double relevance) {

  public FoundNode {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(title, "title");
    matches = List.copyOf(matches);
  }
}
