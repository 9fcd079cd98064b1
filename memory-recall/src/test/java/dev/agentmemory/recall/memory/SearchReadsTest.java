package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A search of many memories reads no more rows than it shows; memory-bench measures its time.
class SearchReadsTest {

  private static final List<MemoryKind> KINDS = List.of(MemoryKind.values());
  private static final int MEMORIES = 10_000;

  private final RecallWorld world = new RecallWorld();
  private final AtomicInteger reads = new AtomicInteger();

  @BeforeEach
  void fill() {
    for (int i = 0; i < MEMORIES; i += MemoryDraft.MAX_CALL) {
      int from = i;
      world.memories.remember(
          IntStream.range(from, from + MemoryDraft.MAX_CALL)
              .mapToObj(at ->
                  draft("statement %d about subject %d".formatted(at, at % 100))
                      .kind(KINDS.get(at % KINDS.size()))
                      .importance(at % 10 / 10.0)
                      .tags(Set.of(tag("area" + at % 7 + ".part" + at % 3)))
                      .created(START.minusSeconds(at))
                      .build())
              .toList());
    }
  }

  private MemoryCollection watched() {
    MemoryStore store =
        InterceptedStore.of(
            world.store,
            (method, _, call) -> {
              if (method.equals("record") || method.equals("records")) {
                reads.incrementAndGet();
              }
              return call.make();
            });
    return world.workspace(store, "");
  }

  @Test
  void search_readsTheRowsThatItShows() {
    MemoryCollection memories = watched();
    var curated =
        new CuratedMemories(
            world.services(), world.sessionChannels(), memories, Optional.of(world.account));
    List<MemorySearch> searches = new ArrayList<>();
    searches.add(MemorySearch.of(""));
    searches.add(MemorySearch.of("subject 42"));
    searches.add(
        MemorySearch.of("statement")
            .withOrder(MemorySearch.Order.TIME)
            .withFilter(
                MemoryFilter.builder()
                    .tags(TagFilter.any(tag("area3")))
                    .kinds(Set.of(MemoryKind.FINDING, MemoryKind.DECISION))
                    .minImportance(0.3)
                    .build()));
    // The first search loads the table, the first by words builds the index.
    searches.forEach(curated::search);
    for (MemorySearch search : searches) {
      reads.set(0);
      assertThat(curated.search(search).hits()).hasSize(MemorySearch.DEFAULT_LIMIT);
      assertThat(reads.get()).isEqualTo(MemorySearch.DEFAULT_LIMIT);
    }
  }
}
