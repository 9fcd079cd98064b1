package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;

/// A search for memories.
///
/// @param query free text of at most [#MAX_QUERY] characters, with `*` and `?` as wildcards in
///   words; blank: everything that passes the filter
/// @param viewer from where the search widens
/// @param asOf answers with what was true then; empty: with what is true now
/// @param limit how many results, 1 to [#MAX_LIMIT]
/// @param explain whether the results' features are complete; such a search does not count as
///   access
public record MemorySearch(
    String query,
    MemoryFilter filter,
    Viewer viewer,
    Order order,
    Optional<Instant> asOf,
    int limit,
    boolean explain) {

  /// Longest query, in UTF-16 units.
  public static final int MAX_QUERY = 4096;

  /// Most results of a search, and of a page of a list.
  public static final int MAX_LIMIT = 1000;

  /// Results of a search that names no limit, and of a page of a list.
  public static final int DEFAULT_LIMIT = 10;

  /// @throws MemoryException `INVALID_FIELD` naming `query` or `limit`
  public MemorySearch {
    if (query.length() > MAX_QUERY) {
      throw MemoryException.invalid(
          "query", "has %d characters; expected at most %d".formatted(query.length(), MAX_QUERY));
    }
    if (limit < 1 || limit > MAX_LIMIT) {
      throw MemoryException.invalid("limit", "is %d; expected 1 to %d".formatted(limit, MAX_LIMIT));
    }
  }

  /// The most relevant current memories of the workspace and the account.
  public static MemorySearch of(String query) {
    return new MemorySearch(
        query,
        MemoryFilter.NONE,
        Viewer.WORKSPACE,
        Order.RELEVANCE,
        Optional.empty(),
        DEFAULT_LIMIT,
        /* explain= */ false);
  }

  public MemorySearch withFilter(MemoryFilter changed) {
    return new MemorySearch(query, changed, viewer, order, asOf, limit, explain);
  }

  public MemorySearch withViewer(Viewer changed) {
    return new MemorySearch(query, filter, changed, order, asOf, limit, explain);
  }

  public MemorySearch withOrder(Order changed) {
    return new MemorySearch(query, filter, viewer, changed, asOf, limit, explain);
  }

  public MemorySearch withAsOf(Instant changed) {
    return new MemorySearch(query, filter, viewer, order, Optional.of(changed), limit, explain);
  }

  public MemorySearch withLimit(int changed) {
    return new MemorySearch(query, filter, viewer, order, asOf, changed, explain);
  }

  public MemorySearch explained() {
    return new MemorySearch(query, filter, viewer, order, asOf, limit, true);
  }

  /// The order of results.
  public enum Order {
    /// The most relevant first.
    RELEVANCE,
    /// The latest first.
    TIME,
    /// The most important first.
    IMPORTANCE
  }

  /// Who asks: memories of other conversations and channels are not found.
  ///
  /// @param session its memories of scope conversation are found; empty: those of none
  /// @param channel its memories of scope channel are found; empty: those of the session's channel,
  ///   or of the default channel
  public record Viewer(Optional<SessionId> session, Optional<ChannelName> channel) {

    public static final Viewer WORKSPACE = new Viewer(Optional.empty(), Optional.empty());
  }
}
