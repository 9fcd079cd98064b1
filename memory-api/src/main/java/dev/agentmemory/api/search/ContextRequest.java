package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;
import java.time.Instant;

/// A question whose evidence has to fit into so many tokens. What is out of bounds is refused with
/// `INVALID_FIELD`.
///
/// @param query as in [SearchRequest]
/// @param filters as in [SearchRequest]
/// @param budget tokens of the Markdown at most, [#LEAST_BUDGET] to [#MOST_BUDGET]
/// @param minRelevance hits below are left out, 0 to 1; 0 leaves none out
/// @param now the asker's present, against which "yesterday" is understood
/// @param enveloped whether the Markdown carries the mark of recalled text on each line, so that it
///   can go into a conversation as it is
public record ContextRequest(
    String query,
    Filters filters,
    int budget,
    double minRelevance,
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
    Asking.check(minRelevance);
  }

  /// Asks for plain Markdown of hits of any relevance.
  public static ContextRequest of(String query, int budget, Instant now) {
    return new ContextRequest(query, Filters.NONE, budget, 0, now, /* enveloped= */ false);
  }

  public ContextRequest withFilters(Filters changed) {
    return new ContextRequest(query, changed, budget, minRelevance, now, enveloped);
  }

  public ContextRequest withMinRelevance(double changed) {
    return new ContextRequest(query, filters, budget, changed, now, enveloped);
  }

  public ContextRequest withEnveloped(boolean changed) {
    return new ContextRequest(query, filters, budget, minRelevance, now, changed);
  }
}
