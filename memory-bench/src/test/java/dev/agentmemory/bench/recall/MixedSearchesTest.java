package dev.agentmemory.bench.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemorySearch.Order;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.recall.MixedSearches.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class MixedSearchesTest {

  private static final GeneratedMemories MEMORIES =
      new GeneratedMemories(Instant.parse("2026-01-30T14:30:00Z"));

  private final MixedSearches searches = new MixedSearches(MEMORIES, 1_000, 1);

  @Test
  void searches_overSeveralCalls_areAllDifferent() {
    List<Query> asked = new ArrayList<>(searches.ofEachShape(30));
    asked.addAll(searches.ofEachShape(30));
    assertThat(asked).extracting(Query::search).doesNotHaveDuplicates();
  }

  @Test
  void searches_useEveryFilterAndOrder() {
    List<MemorySearch> asked = searches.ofEachShape(30).stream().map(Query::search).toList();
    for (Order order : Order.values()) {
      assertThat(asked).anyMatch(search -> search.order() == order);
    }
    List<Predicate<MemorySearch>> uses =
        List.of(
            search -> search.query().contains("*") && search.query().contains("?"),
            search -> search.query().isEmpty(),
            search -> !search.filter().kinds().isEmpty(),
            search -> !search.filter().sources().isEmpty(),
            search -> !search.filter().lifetimes().isEmpty(),
            search -> !search.filter().tags().exclude().isEmpty(),
            search -> search.filter().tags().all() && search.filter().tags().include().size() > 1,
            search -> !search.filter().tags().all() && search.filter().tags().include().size() > 1,
            search -> search.filter().session().isPresent(),
            search -> search.filter().minImportance() > 0,
            search -> search.filter().after().isPresent() && search.filter().before().isPresent(),
            search -> search.filter().near().filter(near -> near.depth() > 1).isPresent(),
            search -> search.asOf().isPresent());
    assertThat(uses).allSatisfy(use -> assertThat(asked).anyMatch(use));
  }
}
