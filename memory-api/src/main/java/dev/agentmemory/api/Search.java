package dev.agentmemory.api;

import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;

/// Finds events, segments and summaries by words and by meaning.
public interface Search {

  /// The best hits for a question.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` for a blank query
  SearchAnswer search(SearchRequest request);

  /// The best evidence for a question, inside its token budget.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` for a blank query
  Context context(ContextRequest request);

  /// How many events each day of a year has. Counted in the index: it takes some ten milliseconds
  /// for a million events.
  Activity activity(ActivityRequest request);

  /// State of the index. Counting takes a moment.
  SearchReport status();

  /// Rebuilds the index from the event log and waits for it; may take long.
  ///
  /// @return number of indexed events
  long rebuild();
}
