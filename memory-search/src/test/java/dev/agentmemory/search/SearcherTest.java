package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.search.Filters;
import dev.agentmemory.types.search.Fusion;
import dev.agentmemory.types.search.Hit;
import dev.agentmemory.types.search.Kind;
import dev.agentmemory.types.search.Mode;
import dev.agentmemory.types.search.Parts;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;
import dev.agentmemory.types.search.Snippet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearcherTest {

  @TempDir Path folder;

  private Bench bench() {
    return new Bench(folder.resolve("search"));
  }

  private static Event said(String session, int minute, String text) {
    return message(session, START.plusSeconds(60L * minute), text);
  }

  private static SearchRequest filtered(String query, Filters filters) {
    return new SearchRequest(
        query, Mode.AUTO, Fusion.WEIGHTED, filters, 20, 0, 0, false, false, START);
  }

  @Test
  void hit_saysWhereItStandsAndWhy() {
    Event[] events = {said("s", 0, "we moved the database to Postgres"), said("s", 1, "fine")};
    try (Bench bench = bench().say(events)) {
      bench.store.commit(
          Commit.of(
              TestToc.putTree(
                  TestSegments.segment(Boundary.SESSION_END, List.of(events)), List.of())));
      Hit hit = bench.follow().ask("which database").hits().getFirst();
      assertThat(hit.event()).contains(events[0].key());
      assertThat(hit.session()).contains(new SessionId("s"));
      assertThat(hit.path().stream().map(id -> id.level()))
          .containsExactly(
              TocLevel.YEAR, TocLevel.MONTH, TocLevel.WEEK, TocLevel.DAY, TocLevel.SEGMENT);
      assertThat(hit.parts().lexicalRank()).hasValue(1);
      assertThat(hit.parts().features()).isEmpty();
      Snippet.Highlight mark = hit.snippet().highlights().getFirst();
      assertThat(hit.snippet().text().substring(mark.start(), mark.end())).isEqualTo("database");
    }
  }

  @Test
  void stems_identifiers_andOtherScripts_areFound() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "they were deploying the services"),
                said("b", 0, "see parseHttpHeader in src/main/net/http_header.rs"),
                said("c", 0, "error E0502 since v2.13.1 of tokio"),
                said("d", 0, "我们明天去北京开会"),
                said("e", 0, "สวัสดีชาวโลก"),
                said("f", 0, "Grüße aus Köln"))
            .follow()) {
      assertThat(bench.found("deployed service").getFirst()).startsWith("they were");
      assertThat(bench.found("http header").getFirst()).startsWith("see parse");
      assertThat(bench.found("parseHttpHeader").getFirst()).startsWith("see parse");
      assertThat(bench.found("http_header.rs").getFirst()).startsWith("see parse");
      assertThat(bench.found("E0502").getFirst()).startsWith("error");
      assertThat(bench.found("v2.13.1").getFirst()).startsWith("error");
      assertThat(bench.found("北京").getFirst()).startsWith("我们");
      assertThat(bench.found("ชาวโลก").getFirst()).startsWith("สวัสดี");
      assertThat(bench.found("koln grusse").getFirst()).startsWith("Grüße");
    }
  }

  @Test
  void filters_holdTogether() {
    Event tagged =
        TestEvents.from(
            said("a", 2, "the plan is ready"), "codex", Map.of("tags", "work, release"));
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "the plan is new"),
                answer("a", START.plusSeconds(60), "the plan is old"),
                tagged,
                said("b", 3, "the plan is bad"))
            .follow()) {
      Filters none = Filters.NONE;
      Filters session =
          new Filters(
              Optional.of(new SessionId("a")),
              none.agent(),
              none.role(),
              Optional.of(START.plusSeconds(60)),
              none.before(),
              none.level(),
              none.kinds(),
              none.tags());
      assertThat(found(bench, session)).containsExactlyInAnyOrder("the plan is old", tagged.text());
      assertThat(found(bench, with(EventRole.ASSISTANT, Set.of())))
          .containsExactly("the plan is old");
      assertThat(found(bench, with(EventRole.USER, Set.of("release"))))
          .containsExactly(tagged.text());
      SearchAnswer nothing =
          bench.searcher().search(filtered("plan", with(EventRole.TOOL, Set.of())));
      assertThat(nothing.nothingBecause().orElseThrow()).contains("filters");
    }
  }

  private static List<String> found(Bench bench, Filters filters) {
    return bench.texts(bench.searcher().search(filtered("plan", filters)));
  }

  private static Filters with(EventRole role, Set<String> tags) {
    Filters none = Filters.NONE;
    return new Filters(
        none.session(),
        none.agent(),
        Optional.of(role),
        none.after(),
        none.before(),
        none.level(),
        none.kinds(),
        tags);
  }

  @Test
  void nothing_saysWhy() {
    try (Bench bench = bench()) {
      assertThat(bench.ask("plan").nothingBecause().orElseThrow()).contains("nothing is indexed");
      bench.say(said("a", 0, "the plan")).follow();
      assertThat(bench.ask("zebra").nothingBecause().orElseThrow()).contains("any word");
      assertThat(bench.ask("plan").nothingBecause()).isEmpty();
      SearchRequest strict =
          new SearchRequest(
              "plan", Mode.AUTO, Fusion.WEIGHTED, Filters.NONE, 5, 0, 1, false, false, START);
      assertThat(bench.searcher().search(strict).nothingBecause().orElseThrow())
          .contains("below the relevance");
    }
  }

  @Test
  void twins_areOneHit() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "Build FAILED: 3 errors"),
                said("b", 9, "build failed, 3 errors!"),
                said("c", 20, "the build failed again with errors"))
            .follow()) {
      assertThat(bench.found("build failed")).hasSize(2);
    }
  }

  @Test
  void pages_doNotOverlap_andEnd() {
    try (Bench bench = bench().say(TestEvents.messages("s", 25).toArray(Event[]::new)).follow()) {
      Searcher searcher = bench.searcher();
      SearchAnswer first = page(searcher, 0);
      SearchAnswer second = page(searcher, 10);
      SearchAnswer last = page(searcher, 20);
      assertThat(List.of(first.more(), second.more(), last.more()))
          .containsExactly(true, true, false);
      Set<String> all =
          List.of(first, second, last).stream()
              .flatMap(answer -> bench.texts(answer).stream())
              .collect(Collectors.toSet());
      assertThat(all).hasSize(25);
    }
  }

  private static SearchAnswer page(Searcher searcher, int offset) {
    return searcher.search(
        new SearchRequest(
            "message",
            Mode.AUTO,
            Fusion.WEIGHTED,
            Filters.NONE,
            10,
            offset,
            0,
            false,
            false,
            START));
  }

  @Test
  void meaning_findsWhatNoWordFinds_andExplains() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench = bench().say(said("a", 0, "about that"), said("b", 0, "zebra")).follow()) {
      bench.index.embed(words, 10);
      SearchAnswer answer = bench.ask(words, "about", Mode.SEMANTIC);
      assertThat(bench.texts(answer).getFirst()).isEqualTo("about that");
      Parts parts = answer.hits().getFirst().parts();
      assertThat(parts.semanticRank()).hasValue(1);
      assertThat(parts.lexicalRank()).isEmpty();
      assertThat(parts.features()).containsKey("meaning");
    }
  }

  @Test
  void summaries_areFoundWhereAskedFor() {
    Event[] events = {said("s", 0, "we moved"), said("s", 1, "fine")};
    try (Bench bench = bench().say(events)) {
      bench.store.commit(
          Commit.of(
              TestToc.putTree(
                  TestSegments.segment(Boundary.SESSION_END, List.of(events)), List.of())));
      bench.follow();
      bench.index.followSummaries(100);
      bench.index.refresh();
      String title =
          bench
              .store
              .node(bench.store.nodeIds(TocLevel.DAY, Optional.empty(), 1).getFirst())
              .orElseThrow()
              .title();
      Filters days =
          new Filters(
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.of(TocLevel.DAY),
              Set.of(),
              Set.of());
      List<Hit> hits = bench.searcher().search(filtered(title, days)).hits();
      assertThat(hits).hasSize(1);
      assertThat(hits.getFirst().kind()).isEqualTo(Kind.ROLLUP);
    }
  }

  @Seeds(200)
  void anyQuery_isSafe(RandomGenerator random) {
    try (Bench bench =
        new Bench(folder.resolve("any"))
            .say(said("a", 0, "TypeError: x ( is not a function"), said("b", 1, "[a-z]+ || && \\"))
            .follow()) {
      String pieces = "\"-*:()[]{}~^?\\/+&|! \t\nab1\u0000é漢😀\ud83d";
      StringBuilder query = new StringBuilder();
      int length = random.nextInt(60);
      for (int i = 0; i < length; i++) {
        if (random.nextInt(8) == 0) {
          query.append(
              List.of("session:", "after:", "on:", "tag:", "kind:", "AND ", "TypeError")
                  .get(random.nextInt(7)));
        } else {
          query.append(pieces.charAt(random.nextInt(pieces.length())));
        }
      }
      SearchAnswer answer = bench.ask(query.toString());
      assertThat(answer.hits().isEmpty()).isEqualTo(answer.nothingBecause().isPresent());
    }
  }
}
