package dev.agentmemory.engine.internal.measure;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;

/// Measures searches.
record TimedSearch(Search inner, EngineMeasures measures) implements Search {

  @Override
  public SearchAnswer search(SearchRequest request) {
    return measures.query(() -> inner.search(request));
  }

  @Override
  public Context context(ContextRequest request) {
    return measures.query(() -> inner.context(request));
  }

  @Override
  public Activity activity(ActivityRequest request) {
    return inner.activity(request);
  }

  @Override
  public SearchReport status() {
    return inner.status();
  }

  @Override
  public long rebuild() {
    return inner.rebuild();
  }
}
