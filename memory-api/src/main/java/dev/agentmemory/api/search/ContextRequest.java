package dev.agentmemory.api.search;

import java.time.Instant;
import java.util.Objects;

/// A question whose evidence has to fit into so many tokens.
///
/// @param query as in [SearchRequest]
/// @param filters hold together with those that stand in the query
/// @param budget tokens of the Markdown at most, [#LEAST_BUDGET] to [#MOST_BUDGET]
/// @param minRelevance hits below are left out, 0 to 1; 0 leaves none out
/// @param now the asker's present, against which "yesterday" is understood
public record ContextRequest(
    String query, Filters filters, int budget, double minRelevance, Instant now) {

  public static final int LEAST_BUDGET = 50;

  public static final int MOST_BUDGET = 100_000;

  public ContextRequest {
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(filters, "filters");
    Objects.requireNonNull(now, "now");
    if (query.length() > SearchRequest.MAX_QUERY) {
      throw new IllegalArgumentException(
          "query longer than " + SearchRequest.MAX_QUERY + ": " + query.length());
    }
    if (budget < LEAST_BUDGET || budget > MOST_BUDGET) {
      throw new IllegalArgumentException(
          "budget outside " + LEAST_BUDGET + ".." + MOST_BUDGET + ": " + budget);
    }
    if (!(minRelevance >= 0 && minRelevance <= 1)) {
      throw new IllegalArgumentException("minRelevance outside 0..1: " + minRelevance);
    }
  }
}
