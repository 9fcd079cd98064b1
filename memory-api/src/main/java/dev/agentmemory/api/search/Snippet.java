package dev.agentmemory.api.search;

import java.util.List;

/// The part of a text that shows why it was found.
///
/// @param highlights what matched, in the order of the text, without overlap
public record Snippet(String text, List<Highlight> highlights) {

  /// A range of the snippet's text, in UTF-16 units.
  ///
  /// @param start first unit
  /// @param end behind the last unit
  public record Highlight(int start, int end) {}

  public Snippet {
    highlights = List.copyOf(highlights);
  }
}
