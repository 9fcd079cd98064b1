package dev.agentmemory.api.search;

import dev.agentmemory.types.MemoryException;
import java.time.Instant;

/// A question to the index. What is out of bounds is refused with `INVALID_FIELD`.
///
/// @param query free text of 1 to [#MAX_QUERY] characters that are not all blank; any character is
///   safe. docs/search.md tells what quotes, `-`, `*` and `name:` mean in it
/// @param fusion how the order is found
/// @param filters hold together with those that stand in the query; something must be able to pass
///   them
/// @param limit how many hits, 1 to [#MAX_LIMIT]
/// @param offset how many hits to leave out first, 0 and up; offset and limit together reach at
///   most [#MAX_REACH]
/// @param threshold what is not relevant enough
/// @param strictTime whether times that the words name ("last week") are a filter; else events of
///   then only come first
/// @param explain whether the hits' [Parts] name every feature
/// @param now the asker's present, against which "yesterday" is understood
public record SearchRequest(
    String query,
    SearchMode mode,
    Fusion fusion,
    Filters filters,
    int limit,
    int offset,
    RelevanceThreshold threshold,
    boolean strictTime,
    boolean explain,
    Instant now) {

  /// Longest query, in UTF-16 units.
  public static final int MAX_QUERY = 4096;

  /// Most hits of one answer.
  public static final int MAX_LIMIT = 100;

  /// How far paging reaches.
  public static final int MAX_REACH = 200;

  public SearchRequest {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw MemoryException.invalid(
          "limit", "is " + limit + "; expected 1 to " + MAX_LIMIT + "; use an offset to get more");
    }
    Asking.check(query);
    Asking.check(filters);
    int furthest = MAX_REACH - limit;
    if (offset < 0 || offset > furthest) {
      throw MemoryException.invalid(
          "offset",
          "is "
              + offset
              + "; expected 0 to "
              + furthest
              + " with a limit of "
              + limit
              + ", as both reach to hit "
              + MAX_REACH
              + "; narrow the query to reach further hits");
    }
  }

  /// A plain question: the first hits, of any relevance.
  public static SearchRequest of(String query, int limit, Instant now) {
    return new SearchRequest(
        query,
        SearchMode.AUTO,
        Fusion.WEIGHTED,
        Filters.NONE,
        limit,
        0,
        RelevanceThreshold.NONE,
        false,
        false,
        now);
  }

  public SearchRequest withMode(SearchMode changed) {
    return new SearchRequest(
        query, changed, fusion, filters, limit, offset, threshold, strictTime, explain, now);
  }

  public SearchRequest withFusion(Fusion changed) {
    return new SearchRequest(
        query, mode, changed, filters, limit, offset, threshold, strictTime, explain, now);
  }

  public SearchRequest withFilters(Filters changed) {
    return new SearchRequest(
        query, mode, fusion, changed, limit, offset, threshold, strictTime, explain, now);
  }

  public SearchRequest withOffset(int changed) {
    return new SearchRequest(
        query, mode, fusion, filters, limit, changed, threshold, strictTime, explain, now);
  }

  public SearchRequest withThreshold(RelevanceThreshold changed) {
    return new SearchRequest(
        query, mode, fusion, filters, limit, offset, changed, strictTime, explain, now);
  }

  public SearchRequest withStrictTime(boolean changed) {
    return new SearchRequest(
        query, mode, fusion, filters, limit, offset, threshold, changed, explain, now);
  }

  public SearchRequest withExplain(boolean changed) {
    return new SearchRequest(
        query, mode, fusion, filters, limit, offset, threshold, strictTime, changed, now);
  }
}
