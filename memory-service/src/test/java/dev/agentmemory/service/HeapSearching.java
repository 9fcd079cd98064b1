package dev.agentmemory.service;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.ContextBuilder;
import dev.agentmemory.search.SearchIndex;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.search.Sources;
import dev.agentmemory.store.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// A real index of a store, brought up to date before every answer.
final class HeapSearching implements Search, AutoCloseable {

  private final MemoryStore store;
  private final Path folder;
  private final SearchIndex index;
  private final Sources sources;
  private final Searcher searcher;

  HeapSearching(MemoryStore store) {
    this.store = store;
    this.sources = Sources.of(store);
    try {
      folder = Files.createTempDirectory("index");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    index = SearchIndex.open(folder, sources, () -> 0L);
    searcher = new Searcher(index, sources, Optional.empty());
  }

  private void follow() {
    var entries = store.outbox().entries(index.cursor(), 1000);
    if (!entries.isEmpty()) {
      index.apply(entries);
    }
    index.followSummaries(1000);
    index.refresh();
  }

  @Override
  public SearchAnswer search(SearchRequest request) {
    follow();
    return searcher.search(request);
  }

  @Override
  public Context context(ContextRequest request) {
    follow();
    return new ContextBuilder(searcher, sources, String::length).build(request);
  }

  @Override
  public Activity activity(ActivityRequest request) {
    follow();
    return searcher.activity(request);
  }

  @Override
  public SearchReport status() {
    follow();
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
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
