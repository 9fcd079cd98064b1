package dev.agentmemory.engine;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.ContextBuilder;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.toc.segment.TokenCounter;
import java.util.function.Supplier;

/// What one workspace finds in the index of a store that workspaces share: its own, under ids that
/// do not name it. How much there is of the others does not show either.
///
/// @param searcher finds what is this workspace's; throws when the index cannot be opened
/// @param sources the store as this workspace sees it
/// @param report what this workspace may know of the index
record OwnSearch(
    Supplier<Searcher> searcher,
    Sources sources,
    TokenCounter tokens,
    Supplier<SearchReport> report)
    implements Search {

  @Override
  public SearchAnswer search(SearchRequest request) {
    return searcher.get().search(request);
  }

  @Override
  public Context context(ContextRequest request) {
    return new ContextBuilder(searcher.get(), sources, tokens::count).build(request);
  }

  @Override
  public Activity activity(ActivityRequest request) {
    return searcher.get().activity(request);
  }

  @Override
  public SearchReport status() {
    return report.get();
  }

  @Override
  public long rebuild() {
    throw SharedMemory.ofTheWhole();
  }
}
