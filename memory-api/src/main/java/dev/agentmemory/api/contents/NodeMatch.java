package dev.agentmemory.api.contents;

import dev.agentmemory.types.GripId;
import java.util.List;

/// A part of a node that contains words of a query.
///
/// @param grips the evidence, when the piece is a bullet
/// @param score above 0, at most 1
public record NodeMatch(NodeField field, String text, List<GripId> grips, double score) {

  public NodeMatch {
    grips = List.copyOf(grips);
  }
}
