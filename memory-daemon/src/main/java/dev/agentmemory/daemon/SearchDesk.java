package dev.agentmemory.daemon;

import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.service.Searching;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.SearchReport;
import dev.agentmemory.types.search.Context;
import dev.agentmemory.types.search.ContextRequest;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;
import java.nio.file.Path;
import java.util.Optional;

/// The index of one store and what answers from it.
final class SearchDesk implements Searching, AutoCloseable {

  private final SearchIndex index;
  private final Searcher searcher;

  /// @param home the index's folder
  SearchDesk(Path home, MemoryStore store) {
    Sources sources = Sources.of(store);
    index = SearchIndex.open(home, sources, System::nanoTime);
    searcher = new Searcher(index, sources, Optional.empty());
  }

  @Override
  public SearchAnswer search(SearchRequest request) {
    return searcher.search(request);
  }

  @Override
  public Context context(ContextRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public SearchReport status() {
    return index.status(Optional.empty());
  }

  @Override
  public long rebuild() {
    index.rebuild(() -> {});
    return status().events();
  }

  @Override
  public void close() {
    index.close();
  }
}
