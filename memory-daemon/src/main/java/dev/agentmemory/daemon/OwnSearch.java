package dev.agentmemory.daemon;

import dev.agentmemory.search.ContextBuilder;
import dev.agentmemory.search.Embedder;
import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.service.Searching;
import dev.agentmemory.store.SearchReport;
import dev.agentmemory.toc.TokenCounter;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.types.search.Context;
import dev.agentmemory.types.search.ContextRequest;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;
import java.util.Optional;
import java.util.function.Supplier;

/// What one workspace finds in the index of a store that workspaces share: its own, under ids that
/// do not name it. How much there is of the others does not show either.
///
/// @param index throws when it cannot be opened
/// @param sources the store as this workspace sees it
record OwnSearch(
    Supplier<SearchIndex> index,
    Sources sources,
    Optional<Embedder> embedder,
    TokenCounter tokens,
    WorkspaceName workspace)
    implements Searching {

  @Override
  public SearchAnswer search(SearchRequest request) {
    return searcher().search(request);
  }

  @Override
  public Context context(ContextRequest request) {
    return new ContextBuilder(searcher(), sources, tokens::count).build(request);
  }

  private Searcher searcher() {
    return new Searcher(index.get(), sources, embedder, Optional.of(workspace));
  }

  /// What belongs to no workspace is 0.
  @Override
  public SearchReport status() {
    return new SearchReport(
        0,
        0,
        0,
        0,
        0,
        embedder.map(Embedder::model),
        0,
        Optional.empty(),
        !index.get().owesRebuild(),
        Optional.empty());
  }

  @Override
  public long rebuild() {
    throw SharedServices.ofTheWhole();
  }
}
