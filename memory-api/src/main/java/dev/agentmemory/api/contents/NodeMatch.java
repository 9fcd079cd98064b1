package dev.agentmemory.api.contents;

import dev.agentmemory.types.GripId;
import java.util.List;
import java.util.Objects;

/// A piece of a node that holds words of a query.
///
/// @param grips the evidence, when the piece is a bullet
/// @param score above 0, at most 1
public record NodeMatch(NodeField field, String text, List<GripId> grips, double score) {

  public NodeMatch {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(text, "text");
    grips = List.copyOf(grips);
  }
}
