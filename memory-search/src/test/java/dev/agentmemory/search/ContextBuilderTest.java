package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextBuilderTest {

  @TempDir Path folder;

  private static Evidence evidence(Bench bench, int budget) {
    return new ContextBuilder(bench.searcher(), bench.sources, text -> text.length() / 4 + 1)
        .build(SearchRequest.of("release plan", 5, START), budget);
  }

  @Test
  void evidence_standsInTheOrderOfTime_withCitations_underOneHeading() {
    Event first = message("s", START, "the release plan is ready");
    Event second = message("s", START.plusSeconds(60), "release on Friday, so the plan says");
    try (Bench bench = new Bench(folder.resolve("search")).say(second, first).follow()) {
      Evidence evidence = evidence(bench, 1000);
      assertThat(evidence.events()).containsExactly(first.key(), second.key());
      assertThat(evidence.markdown())
          .containsOnlyOnce("###")
          .contains("[" + ContextBuilder.citation(first.key()) + "]")
          .contains("[evt:" + START.toEpochMilli() + ":" + first.id() + "]");
    }
  }

  @Test
  void budget_isKept_atAnySize() {
    Event[] events =
        IntStream.range(0, 40)
            .mapToObj(i -> message("s" + i % 7, START.plusSeconds(i), "release plan number " + i))
            .toArray(Event[]::new);
    try (Bench bench = new Bench(folder.resolve("search")).say(events).follow()) {
      for (int budget : List.of(1, 30, 31, 60, 100, 500, 5000)) {
        Evidence evidence = evidence(bench, budget);
        assertThat(evidence.tokens()).isLessThanOrEqualTo(budget);
        assertThat(evidence.events().isEmpty()).isEqualTo(evidence.nothingBecause().isPresent());
      }
      assertThat(evidence(bench, 5000).events()).hasSize(40);
    }
  }

  @Test
  void repetition_makesRoomForSomethingElse() {
    try (Bench bench =
        new Bench(folder.resolve("search"))
            .say(
                message("a", START, "the release plan of the team is ready"),
                message("b", START, "the release plan of the team is ready now"),
                message("c", START, "a plan: bananas on Monday"))
            .follow()) {
      assertThat(evidence(bench, 75).markdown()).contains("bananas");
    }
  }
}
