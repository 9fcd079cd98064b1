package dev.agentmemory.api.search;

import java.util.List;

/// What a search has looked through. Events count if events were asked for, summaries if summaries
/// were; memories never.
///
/// @param searched how many there are
/// @param passing how many of them meet all conditions
/// @param matching how many of all have a word of the query, whether they meet the conditions or
///   not; 0 for a query without words
/// @param excluded for each condition of the search, how many of `matching` it alone is enough to
///   leave out. One that misses several conditions counts for each
/// @param irrelevant hits that were left out because of their relevance
public record Coverage(
    long searched, long passing, long matching, List<Excluded> excluded, long irrelevant) {

  public Coverage {
    excluded = List.copyOf(excluded);
  }

  /// A condition that a hit has to meet.
  public enum Condition {
    SESSION,
    NOT_SESSION,
    AGENT,
    ROLE,
    LEVEL,
    TAGS,
    TIME,
    /// A phrase that the query requires.
    PHRASE,
    /// A word or phrase that the query excludes.
    EXCLUSION
  }

  /// What a condition leaves out.
  public record Excluded(Condition condition, long documents) {}
}
