package dev.agentmemory.api.search;

import java.util.List;
import java.util.Objects;

/// The part of a text that shows why it was found.
///
/// @param highlights what matched, in the order of the text, without overlap
public record Snippet(String text, List<Highlight> highlights) {

  /// A stretch of the snippet's text, in UTF-16 units.
  ///
  /// @param start first unit
  /// @param end behind the last unit
  public record Highlight(int start, int end) {}

  public Snippet {
    Objects.requireNonNull(text, "text");
    highlights = List.copyOf(highlights);
  }
}
