package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.api.search.Coverage.Condition;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoverageTest {

  private static final WorkspaceName ALPHA = WorkspaceName.of("alpha").orElseThrow();

  @TempDir Path folder;

  private Bench bench() {
    return new Bench(folder.resolve("search"))
        .say(
            said("a", 0, "the store is RocksDB"),
            said("a", 1, "the store has one writer"),
            said("b", 2, "a store of books"),
            said("b", 3, "nothing about it"))
        .follow();
  }

  private static Event said(String session, int minute, String text) {
    return message(session, START.plusSeconds(60L * minute), text);
  }

  private static SearchRequest explained(String query) {
    return SearchRequest.of(query, 20, START).withExplain(true);
  }

  private static Coverage coverage(SearchAnswer answer) {
    return answer.coverage().orElseThrow();
  }

  @Test
  void search_thatIsNotExplained_countsNothing() {
    try (Bench bench = bench()) {
      assertThat(bench.ask("store").coverage()).isEmpty();
    }
  }

  @Test
  void search_withoutConditions_looksThroughAllAndLeavesNothingOut() {
    try (Bench bench = bench()) {
      assertThat(coverage(bench.searcher().search(explained("store"))))
          .isEqualTo(new Coverage(4, 4, 3, List.of(), 0));
    }
  }

  @Test
  void conditions_tellWhatEachLeavesOutOfWhatMatches() {
    try (Bench bench = bench()) {
      Filters filters =
          Filters.NONE.withSession(new SessionId("c")).withBefore(START.plusSeconds(90));
      SearchAnswer answer = bench.searcher().search(explained("store -books").withFilters(filters));
      assertThat(answer.hits()).isEmpty();
      Coverage coverage = coverage(answer);
      assertThat(coverage.passing()).isZero();
      assertThat(coverage.matching()).isEqualTo(3);
      assertThat(coverage.excluded())
          .extracting(Coverage.Excluded::condition, Coverage.Excluded::documents)
          .containsExactly(
              tuple(Condition.SESSION, 3L),
              tuple(Condition.TIME, 1L),
              tuple(Condition.EXCLUSION, 1L));
    }
  }

  @Test
  void phrase_thatIsRequired_isACondition() {
    try (Bench bench = bench()) {
      Coverage coverage = coverage(bench.searcher().search(explained("store +\"one writer\"")));
      assertThat(coverage.passing()).isEqualTo(1);
      assertThat(coverage.excluded()).containsExactly(new Coverage.Excluded(Condition.PHRASE, 2));
    }
  }

  @Test
  void hits_belowTheMinimumRelevance_areCounted() {
    try (Bench bench = bench()) {
      SearchRequest request = explained("store").withThreshold(RelevanceThreshold.ofEach(1));
      SearchAnswer all = bench.searcher().search(explained("store"));
      SearchAnswer some = bench.searcher().search(request);
      assertThat(coverage(some).irrelevant())
          .isEqualTo(all.hits().size() - some.hits().size())
          .isPositive();
    }
  }

  @Test
  void sharedIndex_countsTheAskersOwn() {
    try (Bench bench = bench().say(said("a", 9, "a store of alpha").in(ALPHA)).follow()) {
      Searcher own = bench.searcher().of(ALPHA, bench.sources);
      assertThat(coverage(own.search(explained("store"))))
          .isEqualTo(new Coverage(1, 1, 1, List.of(), 0));
    }
  }
}
