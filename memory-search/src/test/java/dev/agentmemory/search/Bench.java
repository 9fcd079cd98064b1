package dev.agentmemory.search;

import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// A store in the heap, an index in a real folder and a clock that is moved by hand.
public final class Bench implements AutoCloseable {

  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  final Sources sources = Sources.of(store);
  final AtomicLong nanos = new AtomicLong();
  final Path folder;
  public SearchIndex index;

  public Bench(Path folder) {
    this.folder = folder;
    this.index = opened();
  }

  private SearchIndex opened() {
    return SearchIndex.open(folder, sources, nanos::get);
  }

  public Bench say(Event... events) {
    store.commit(Commit.append(List.of(events)));
    return this;
  }

  Bench commit(Change... changes) {
    store.commit(Commit.of(changes));
    return this;
  }

  /// Applies everything that the outbox has, in batches of a few, and makes it visible.
  public Bench follow() {
    while (true) {
      List<OutboxEntry> entries = store.outbox().entries(index.cursor(), 7);
      if (entries.isEmpty()) {
        index.refresh();
        return this;
      }
      index.apply(entries);
    }
  }

  void wait(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /// What is left when the process dies: what was committed.
  void crash() {
    index.abandon();
    index = opened();
  }

  void reopen() {
    index.close();
    index = opened();
  }

  Searcher searcher() {
    return new Searcher(index, sources, Optional.empty());
  }

  public SearchAnswer ask(String query) {
    return searcher().search(SearchRequest.of(query, 20, TestEvents.START));
  }

  public SearchAnswer ask(Embedder embedder, String query, SearchMode mode) {
    SearchRequest request =
        SearchRequest.of(query, 20, TestEvents.START).withMode(mode).withExplain(true);
    return new Searcher(index, sources, Optional.of(embedder)).search(request);
  }

  /// Texts of the events found.
  List<String> texts(SearchAnswer answer) {
    return answer.hits().stream()
        .flatMap(hit -> hit.event().stream())
        .map(key -> store.event(key.id()).orElseThrow().text())
        .toList();
  }

  List<String> found(String query) {
    return texts(ask(query));
  }

  @Override
  public void close() {
    index.close();
    store.close();
  }

  /// Texts that share words are near.
  public static class WordEmbedder implements Embedder {
    private final String model;
    int asked;

    public WordEmbedder(String model) {
      this.model = model;
    }

    @Override
    public String model() {
      return model;
    }

    @Override
    public int dimension() {
      return 64;
    }

    @Override
    public List<float[]> documents(List<String> texts) {
      asked += texts.size();
      return texts.stream().map(this::query).toList();
    }

    @Override
    public float[] query(String text) {
      float[] vector = new float[dimension()];
      Arrays.stream(text.toLowerCase(java.util.Locale.ROOT).split("\\W+", -1))
          .filter(word -> !word.isEmpty())
          .forEach(word -> vector[Math.floorMod(word.hashCode(), vector.length)]++);
      double length = 0;
      for (float value : vector) {
        length += value * value;
      }
      for (int i = 0; i < vector.length; i++) {
        vector[i] = length == 0 ? (i == 0 ? 1 : 0) : (float) (vector[i] / Math.sqrt(length));
      }
      return vector;
    }
  }
}
