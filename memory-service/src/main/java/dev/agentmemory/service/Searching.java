package dev.agentmemory.service;

import dev.agentmemory.store.SearchReport;
import dev.agentmemory.types.search.Context;
import dev.agentmemory.types.search.ContextRequest;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;

/// Finds what a workspace holds.
public interface Searching {

  /// The best hits for a question.
  SearchAnswer search(SearchRequest request);

  /// The best evidence for a question, inside a token budget.
  Context context(ContextRequest request);

  /// How the index is. Counts take a moment.
  SearchReport status();

  /// Makes the index anew from the event log; returns when that is done.
  ///
  /// @return events that went into it
  long rebuild();
}
