package dev.agentmemory.api.upkeep;

import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.types.MemoryException;

/// Asks what an agent has to know when it begins.
///
/// @param query what the session is about; blank: unknown
/// @param viewer the session and channel
/// @param budgetTokens most tokens of the document, [#MIN_BUDGET] to [#MAX_BUDGET]
/// @param enveloped whether the document carries the mark of recalled text on each line, so that it
///   can go into a conversation as it is
public record OrientationRequest(
    String query, MemorySearch.Viewer viewer, int budgetTokens, boolean enveloped) {

  public static final int MIN_BUDGET = 100;
  public static final int DEFAULT_BUDGET = 1000;
  public static final int MAX_BUDGET = 32_000;

  /// Asks for plain Markdown.
  ///
  /// @throws MemoryException as the other constructor
  public OrientationRequest(String query, MemorySearch.Viewer viewer, int budgetTokens) {
    this(query, viewer, budgetTokens, /* enveloped= */ false);
  }

  /// @throws MemoryException `INVALID_FIELD` naming `query` or `budget_tokens`
  public OrientationRequest {
    if (query.length() > MemorySearch.MAX_QUERY) {
      throw MemoryException.invalid(
          "query",
          "has %d characters; expected at most %d"
              .formatted(query.length(), MemorySearch.MAX_QUERY));
    }
    if (budgetTokens < MIN_BUDGET || budgetTokens > MAX_BUDGET) {
      throw MemoryException.invalid(
          "budget_tokens",
          "is %d; expected %d to %d".formatted(budgetTokens, MIN_BUDGET, MAX_BUDGET));
    }
  }

  /// Asks for plain Markdown of the default size, as every session of the workspace sees it.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `query`
  public static OrientationRequest of(String query) {
    return new OrientationRequest(query, MemorySearch.Viewer.WORKSPACE, DEFAULT_BUDGET);
  }

  public OrientationRequest withBudgetTokens(int changed) {
    return new OrientationRequest(query, viewer, changed, enveloped);
  }

  public OrientationRequest withEnveloped(boolean changed) {
    return new OrientationRequest(query, viewer, budgetTokens, changed);
  }
}
