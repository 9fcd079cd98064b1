package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;
import java.time.Instant;

/// A question whose evidence has to fit into so many tokens. What is out of bounds is refused with
/// `INVALID_FIELD`.
///
/// @param query as in [SearchRequest]
/// @param filters as in [SearchRequest]
/// @param budget tokens of the Markdown at most, [#LEAST_BUDGET] to [#MOST_BUDGET]
/// @param threshold what is not relevant enough
/// @param now the asker's present, against which "yesterday" is understood
/// @param enveloped whether the Markdown carries the mark of recalled text on each line, so that it
///   can go into a conversation as it is
public record ContextRequest(
    String query,
    Filters filters,
    int budget,
    RelevanceThreshold threshold,
    Instant now,
    boolean enveloped) {

  public static final int LEAST_BUDGET = 50;

  public static final int MOST_BUDGET = 100_000;

  public ContextRequest {
    Asking.check(query);
    Asking.check(filters);
    if (budget < LEAST_BUDGET || budget > MOST_BUDGET) {
      throw MemoryException.invalid(
          "token_budget", "is " + budget + "; expected " + LEAST_BUDGET + " to " + MOST_BUDGET);
    }
  }

  /// Asks for plain Markdown of hits of any relevance.
  public static ContextRequest of(String query, int budget, Instant now) {
    return new ContextRequest(
        query, Filters.NONE, budget, RelevanceThreshold.NONE, now, /* enveloped= */ false);
  }

  public ContextRequest withFilters(Filters changed) {
    return new ContextRequest(query, changed, budget, threshold, now, enveloped);
  }

  public ContextRequest withThreshold(RelevanceThreshold changed) {
    return new ContextRequest(query, filters, budget, changed, now, enveloped);
  }

  public ContextRequest withEnveloped(boolean changed) {
    return new ContextRequest(query, filters, budget, threshold, now, changed);
  }
}
