package dev.agentmemory.search;

import dev.agentmemory.types.Span;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A query's text, read.
///
/// @param text what is left as free text, phrases included
/// @param phrases texts that a hit has to hold word for word
/// @param excluded words that a hit must not hold
/// @param prefixes beginnings of words, without the asterisk
/// @param filters those that stand in the text
/// @param time what the text names, such as yesterday; events of then are preferred
record ReadQuery(
    String text,
    List<String> phrases,
    List<String> excluded,
    List<String> prefixes,
    Filters filters,
    Optional<Span> time) {

  ReadQuery {
    Objects.requireNonNull(text, "text");
    phrases = List.copyOf(phrases);
    excluded = List.copyOf(excluded);
    prefixes = List.copyOf(prefixes);
    Objects.requireNonNull(filters, "filters");
    Objects.requireNonNull(time, "time");
  }

  /// All of it free text.
  static ReadQuery plain(String text) {
    return new ReadQuery(text, List.of(), List.of(), List.of(), Filters.NONE, Optional.empty());
  }
}
