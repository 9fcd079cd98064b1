package dev.agentmemory.api.search;

import dev.agentmemory.types.Span;
import java.util.List;
import java.util.Optional;

/// What was found.
///
/// @param hits the best first
/// @param more whether a greater offset would find more
/// @param used by what was searched: [SearchMode#LEXICAL], [SearchMode#SEMANTIC] or
///   [SearchMode#HYBRID]
/// @param time what the query's words name, as they were understood; empty when they name none
/// @param degraded why less was used than was asked for
/// @param nothingBecause why there are no hits; empty when there are
/// @param near what came nearest without the phrase, when no event holds a phrase that the query
///   requires; else empty
/// @param coverage what was looked through; empty unless the search explains itself
public record SearchAnswer(
    List<Hit> hits,
    boolean more,
    SearchMode used,
    Optional<Span> time,
    Optional<String> degraded,
    Optional<String> nothingBecause,
    List<Hit> near,
    Optional<Coverage> coverage) {

  /// Most hits that are given as near.
  public static final int MAX_NEAR = 3;

  public SearchAnswer {
    hits = List.copyOf(hits);
    near = List.copyOf(near);
  }
}
