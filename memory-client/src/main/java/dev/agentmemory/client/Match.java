package dev.agentmemory.client;

import dev.agentmemory.types.GripId;
import java.util.List;
import java.util.Objects;

/// A piece of a node that holds words of a query.
///
/// @param grips for bullets: their evidence
/// @param score above 0, at most 1
public record Match(Field field, String text, List<GripId> grips, double score) {

  public Match {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(text, "text");
    grips = List.copyOf(grips);
  }

  /// A part of a node that can be searched.
  public enum Field {
    TITLE,
    SUMMARY,
    BULLETS,
    KEYWORDS
  }
}
