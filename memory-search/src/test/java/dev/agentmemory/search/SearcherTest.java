package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.internal.rank.CandidateTurn;
import dev.agentmemory.search.internal.rank.Ranking;
import dev.agentmemory.search.internal.rank.Relevance;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearcherTest {

  @TempDir Path folder;

  private Bench bench() {
    return new Bench(folder.resolve("search"));
  }

  private static Event said(String session, int minute, String text) {
    return message(session, START.plusSeconds(60L * minute), text);
  }

  private static SearchRequest filtered(String query, Filters filters) {
    return SearchRequest.of(query, 20, START).withFilters(filters);
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
      Filters session = none.withSession(new SessionId("a")).withAfter(START.plusSeconds(60));
      assertThat(found(bench, session)).containsExactlyInAnyOrder("the plan is old", tagged.text());
      assertThat(found(bench, none.withNotSession(new SessionId("a"))))
          .containsExactly("the plan is bad");
      assertThat(found(bench, none.withNotSession(new SessionId("c")))).hasSize(4);
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
    return Filters.NONE.withRole(role).withTags(tags);
  }

  @Test
  void nothing_saysWhy() {
    try (Bench bench = bench()) {
      assertThat(bench.ask("plan").nothingBecause().orElseThrow()).contains("the index is empty");
      bench.say(said("a", 0, "the plan")).follow();
      assertThat(bench.ask("zebra").nothingBecause().orElseThrow()).contains("a word of the query");
      assertThat(bench.ask("plan").nothingBecause()).isEmpty();
      SearchRequest strict =
          SearchRequest.of("plan", 5, START).withThreshold(RelevanceThreshold.ofEach(1));
      assertThat(bench.searcher().search(strict).nothingBecause().orElseThrow())
          .contains("below the minimum of 1.00");
    }
  }

  @Test
  void twins_areOneHit() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "Build failed: 3 errors"),
                said("b", 9, "build failed, 3 errors!"),
                said("c", 20, "the build failed again with errors"))
            .follow()) {
      assertThat(bench.found("build failed")).hasSize(2);
    }
  }

  @Test
  void neighboursOfHits_areHits_twoOnEachSide() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "nothing of note"),
                said("a", 1, "two before"),
                said("a", 2, "one before"),
                said("a", 3, "the zebra is loose"),
                said("a", 4, "one behind"),
                said("a", 5, "two behind"),
                said("a", 6, "far behind"))
            .follow()) {
      assertThat(bench.found("zebra"))
          .startsWith("the zebra is loose")
          .containsExactlyInAnyOrder(
              "two before", "one before", "the zebra is loose", "one behind", "two behind");
      assertThat(bench.found("zebra role:user")).containsExactly("the zebra is loose");
    }
  }

  @Test
  void minRelevance_isEnough_moreIsNotNeeded() {
    try (Bench bench = bench().say(said("a", 0, "the plan of the zebra")).follow()) {
      double relevance = bench.ask("zebra house").hits().getFirst().relevance();
      assertThat(bench.searcher().search(least("zebra house", relevance)).hits()).hasSize(1);
      assertThat(bench.searcher().search(least("zebra house", Math.nextUp(relevance))).hits())
          .isEmpty();
    }
  }

  @Test
  void nothingIsRelevantEnough_nothingIsFound_andTheReasonSaysSo() {
    try (Bench bench = bench().say(said("a", 0, "the plan of the zebra")).follow()) {
      SearchRequest request =
          SearchRequest.of("capital of Mongolia, its plan and its river", 5, START)
              .withThreshold(new RelevanceThreshold(0, 0.28));
      SearchAnswer answer = bench.searcher().search(request);
      assertThat(answer.hits()).isEmpty();
      assertThat(answer.nothingBecause().orElseThrow())
          .startsWith("the best of 1 hits has a relevance of 0.0")
          .contains("below the minimum of 0.28");
    }
  }

  @Test
  void requiredPhrase_isAnAnswer_howeverRelevantItIs() {
    try (Bench bench = bench().say(said("a", 0, "the plan of the zebra")).follow()) {
      SearchRequest request =
          SearchRequest.of("+\"the plan\" capital Mongolia river lake mountain desert", 5, START)
              .withThreshold(new RelevanceThreshold(0.5, 0.9));
      assertThat(bench.searcher().search(request).hits()).hasSize(1);
    }
  }

  @Test
  void wordThatIsThere_isAnAnswer_howeverLongTheTextIs() {
    String log = "ok ".repeat(3000) + "E0502";
    try (Bench bench = bench().say(put("a", 0, log), said("b", 0, "fine")).follow()) {
      SearchRequest request =
          SearchRequest.of("E0502", 5, START).withThreshold(new RelevanceThreshold(0, 0.99));
      assertThat(bench.searcher().search(request).hits()).hasSize(1);
    }
  }

  @Test
  void beginningOfAWord_isAnAnswer_amongLongNeighbours() {
    Event[] events = new Event[5];
    for (int i = 0; i < events.length; i++) {
      events[i] = said("a", i, i == 2 ? "zebras" : "nothing of the kind stands in here " + i);
    }
    try (Bench bench = bench().say(events).follow()) {
      SearchRequest request =
          SearchRequest.of("zeb*", 5, START).withThreshold(RelevanceThreshold.DEFAULT);
      assertThat(bench.texts(bench.searcher().search(request))).containsExactly("zebras");
    }
  }

  @Test
  void oneHitIsRelevantEnough_lessRelevantOnesAreFound_too() {
    try (Bench bench =
        bench()
            .say(said("a", 0, "the zebra eats the green apples"), said("b", 0, "a green house"))
            .follow()) {
      SearchRequest request =
          SearchRequest.of("zebra eats green apples", 5, START)
              .withThreshold(new RelevanceThreshold(0.05, 0.5));
      List<Hit> hits = bench.searcher().search(request).hits();
      assertThat(hits).hasSize(2);
      assertThat(hits.getLast().relevance()).isLessThan(0.5);
    }
  }

  /// Tools repeat what is looked for in most sessions, people say it in one.
  @Test
  void wordsOfTools_areNotWordsOfTheSession() {
    Event[] events = new Event[12];
    for (int i = 0; i < 10; i++) {
      events[i] = put("a", i, "lease expired in worker " + i);
    }
    events[10] = said("a", 10, "look at the lease");
    events[11] = said("b", 10, "look at the lease");
    try (Bench bench = bench().say(events).say(said("b", 11, "the lease expired")).follow()) {
      Map<String, Double> sessions = sessions(bench, "lease expired", 20);
      assertThat(sessions.get("b")).isGreaterThan(sessions.get("a"));
    }
  }

  /// Other hits take the places of the words that stand far from the first hit of their session.
  @ParameterizedTest
  @CsvSource({"150, true", "2100, false"})
  void wordsFarFromAHit_countForTheSession_amongItsFirstTurns(int between, boolean count) {
    String late = "the lease of what is left and of all that nobody reads";
    try (Bench bench = bench()) {
      for (String session : List.of("amber", "coral")) {
        Event[] events = new Event[between];
        for (int i = 1; i < between - 1; i++) {
          events[i] = said(session, i, "other work");
        }
        events[0] = said(session, 0, "lease expired " + session);
        events[between - 1] =
            said(session, between, session.equals("amber") ? late : late.replace("lease", "house"));
        bench.say(events);
      }
      for (int i = 0; i < 98; i++) {
        bench.say(said("s" + i, i, "lease expired " + i));
      }
      Map<String, Double> sessions = sessions(bench.follow(), "lease expired", 100);
      assertThat(sessions.get("amber"))
          .isGreaterThanOrEqualTo(sessions.get("coral"))
          .matches(amber -> amber.equals(sessions.get("coral")) != count);
    }
  }

  /// The feature of what was said in their sessions of the hits, by session.
  private static Map<String, Double> sessions(Bench bench, String query, int limit) {
    return bench
        .searcher()
        .search(SearchRequest.of(query, limit, START).withExplain(true))
        .hits()
        .stream()
        .collect(
            Collectors.toMap(
                hit -> hit.session().orElseThrow().value(),
                hit -> hit.parts().features().get("session"),
                Math::max));
  }

  @Test
  void whatToolsPutOut_leavesAPlaceForWhatWasSaid() {
    Event[] events = new Event[150];
    for (int i = 0; i < events.length; i++) {
      events[i] = put("s" + i, 2 * i, "lease expired " + i);
    }
    String wanted = "and then, after a long search of all logs, the lease of the second worker";
    try (Bench bench = bench().say(events).say(said("t", 5, wanted)).follow()) {
      SearchRequest request = SearchRequest.of("lease expired", SearchRequest.MAX_LIMIT, START);
      List<String> found = bench.texts(bench.searcher().search(request.withOffset(0)));
      List<String> rest = bench.texts(bench.searcher().search(request.withOffset(100)));
      assertThat(Stream.concat(found.stream(), rest.stream())).contains(wanted);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sessionsOfWork_countMore_whereAToolWroteACandidate(boolean tool) {
    String text = "a lease of coral";
    Event last = tool ? put("c", 2, text) : said("c", 2, text);
    Event[] events = {said("a", 0, "the lease expired"), said("b", 1, "a flat"), last};
    try (Bench bench = bench().say(events).follow()) {
      SearchRequest request = SearchRequest.of("lease expired", 5, START).withExplain(true);
      assertThat(bench.searcher().search(request).hits())
          .isNotEmpty()
          .extracting(hit -> hit.parts().features())
          .allSatisfy(parts -> assertThat(parts).containsKey("session"))
          .allMatch(parts -> parts.containsKey("session_of_work") == tool);
    }
  }

  /// A result of a tool.
  private static Event put(String session, int minute, String text) {
    return TestEvents.event(
        session, START.plusSeconds(60L * minute), EventType.TOOL_RESULT, EventRole.TOOL, text);
  }

  private static SearchRequest least(String query, double relevance) {
    return SearchRequest.of(query, 5, START).withThreshold(RelevanceThreshold.ofEach(relevance));
  }

  @Test
  void speakerThatTheQuestionNames_comesFirst() {
    // Both have the same words, so that nothing but the speaker tells them apart.
    Event ann = TestEvents.from(said("a", 0, "Bob makes good tea"), "x", Map.of("speaker", "Ann"));
    Event bob = TestEvents.from(said("b", 9, "Ann makes good tea"), "x", Map.of("speaker", "Bob"));
    try (Bench bench = bench().say(ann, bob).follow()) {
      assertThat(bench.ask("what does Ann say of tea").hits().getFirst().event())
          .contains(ann.key());
      assertThat(bench.ask("what does Bob say of tea").hits().getFirst().event())
          .contains(bob.key());
    }
  }

  @Test
  void quotesInAQuestion_prefer() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "Who wrote the dark tower of the west? I saw the tower in the dark"),
                said("b", 9, "she read The Dark Tower in May"))
            .follow()) {
      String query = "who wrote or saw the \"dark tower\" of the west in the dark";
      assertThat(bench.found(query)).hasSize(2);
      assertThat(bench.found("when did she read \"The Dark Wall\"").getFirst())
          .startsWith("she read");
      assertThat(bench.found("the tower in the dark \"she read\"").getFirst())
          .startsWith("she read");
    }
  }

  @Test
  void phraseAlone_orWithPlus_isRequired_andWhatComesNearIsSaid() {
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "the build ran out of memory"),
                said("b", 9, "memory is out of stock"),
                said("c", 20, "nothing of note"))
            .follow()) {
      assertThat(bench.found("\"out of memory\"")).containsExactly("the build ran out of memory");
      assertThat(bench.found("why did the stock +\"out of memory\""))
          .containsExactly("the build ran out of memory");
      SearchAnswer none = bench.ask("\"memory out of stock\"");
      assertThat(none.hits()).isEmpty();
      assertThat(none.nothingBecause())
          .contains("nothing contains \"memory out of stock\" literally");
      assertThat(none.near()).isNotEmpty().hasSizeLessThanOrEqualTo(SearchAnswer.MAX_NEAR);
      assertThat(none.near().getFirst().snippet().text()).isEqualTo("memory is out of stock");
      assertThat(bench.ask("\"out of memory\"").near()).isEmpty();
      SearchAnswer filtered = bench.ask("\"out of memory\" role:tool");
      assertThat(filtered.near()).isEmpty();
      assertThat(filtered.nothingBecause()).contains("nothing matches the filters");
    }
  }

  @Test
  void unreadableQuestion_isAskedByWords() {
    Bench.WordEmbedder words =
        new Bench.WordEmbedder("one") {
          @Override
          public boolean reads(String text) {
            return text.chars().allMatch(c -> c < 128);
          }
        };
    try (Bench bench = bench().say(said("a", 0, "会议在三楼"), said("b", 9, "lunch")).follow()) {
      bench.index.embed(words, 10);
      SearchAnswer answer = bench.ask(words, "会议", SearchMode.AUTO);
      assertThat(answer.used()).isEqualTo(SearchMode.LEXICAL);
      assertThat(answer.degraded().orElseThrow()).contains("does not support");
      assertThat(bench.texts(answer).getFirst()).isEqualTo("会议在三楼");
      assertThat(bench.ask(words, "lunch", SearchMode.AUTO).used()).isEqualTo(SearchMode.HYBRID);
    }
  }

  @Test
  void questionAskedBefore_comesBehindItsAnswer() {
    String query = "which postgres does the billing service run on?";
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "the billing service runs on postgres 16"),
                said("b", 9, query),
                said("c", 20, "nothing of note about the mail"))
            .follow()) {
      List<Hit> hits = bench.ask(query).hits();
      assertThat(bench.texts(bench.ask(query))).endsWith(query).hasSize(2);
      assertThat(hits.getLast().relevance()).isPositive();
    }
  }

  @Test
  void newerFact_comesBeforeTheOlder() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "the billing service of the team runs on postgres 16 in production"),
                said("b", 9, "the billing service of the team runs on postgres 17 in production"),
                said("c", 20, "the mail service of the team runs on postgres 12 in production"))
            .follow()) {
      bench.index.embed(words, 10);
      String query = "which postgres does the billing service run on";
      for (SearchAnswer answer :
          List.of(bench.ask(query), bench.ask(words, query, SearchMode.AUTO))) {
        assertThat(bench.texts(answer).getFirst()).contains("postgres 17");
        assertThat(bench.texts(answer).get(1)).contains("postgres 16");
      }
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
    return searcher.search(SearchRequest.of("message", 10, START).withOffset(offset));
  }

  @Test
  void meaning_findsWhatNoWordFinds_andExplains() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench = bench().say(said("a", 0, "about that"), said("b", 0, "zebra")).follow()) {
      bench.index.embed(words, 10);
      SearchAnswer answer = bench.ask(words, "about", SearchMode.SEMANTIC);
      assertThat(bench.texts(answer).getFirst()).isEqualTo("about that");
      Parts parts = answer.hits().getFirst().parts();
      assertThat(parts.semanticRank()).hasValue(1);
      assertThat(parts.lexicalRank()).isEmpty();
      assertThat(parts.features()).containsKey("meaning");
    }
  }

  private static SearchRequest request(
      String query, SearchMode mode, Fusion fusion, Filters filters) {
    return SearchRequest.of(query, 20, START)
        .withMode(mode)
        .withFusion(fusion)
        .withFilters(filters)
        .withExplain(true);
  }

  @Test
  void meaning_respectsFilters_andHasItsRelevance() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    Event spoken = said("a", 0, "about that plan");
    Event answered = answer("b", START.plusSeconds(60), "about that other plan");
    try (Bench bench = bench().say(spoken, answered).follow()) {
      bench.index.embed(words, 10);
      Searcher searcher = new Searcher(bench.index, bench.sources, Optional.of(words));
      SearchAnswer answer =
          searcher.search(
              request(
                  "about",
                  SearchMode.SEMANTIC,
                  Fusion.WEIGHTED,
                  with(EventRole.ASSISTANT, Set.of())));
      assertThat(bench.texts(answer)).containsExactly("about that other plan");
      assertThat(answer.used()).isEqualTo(SearchMode.SEMANTIC);
      assertThat(answer.hits().getFirst().relevance()).isStrictlyBetween(0.0, 1.0);
    }
  }

  @Test
  void relevance_growsWithWhatIsMeasured() {
    CandidateTurn far = new CandidateTurn(1, 0, 0);
    far.cosine = 0.5;
    CandidateTurn near = new CandidateTurn(2, 0, 0);
    near.cosine = 0.8;
    CandidateTurn plain = new CandidateTurn(3, 0, 0);
    assertThat(Relevance.of(near, 0.5)).isGreaterThan(Relevance.of(far, 0.5));
    assertThat(Relevance.of(near, 0.9)).isGreaterThan(Relevance.of(near, 0.1));
    assertThat(Relevance.ofMeaning(near))
        .isGreaterThan(0.5)
        .isGreaterThan(Relevance.ofMeaning(far));
    assertThat(Relevance.of(plain, 1)).isGreaterThan(0.9);
    assertThat(Relevance.of(plain, 0)).isLessThan(0.1);
  }

  @Test
  void reciprocalRanks_orderByBothLegs() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench =
        bench()
            .say(
                said("a", 0, "plan"),
                said("b", 0, "plan of many other words that say little"),
                said("c", 0, "zebra"))
            .follow()) {
      bench.index.embed(words, 10);
      Searcher searcher = new Searcher(bench.index, bench.sources, Optional.of(words));
      SearchAnswer answer =
          searcher.search(request("plan", SearchMode.AUTO, Fusion.RECIPROCAL_RANK, Filters.NONE));
      assertThat(bench.texts(answer)).hasSize(3).startsWith("plan");
      Hit best = answer.hits().getFirst();
      assertThat(best.score()).isEqualTo(2.0 / (Ranking.RRF + 1));
      assertThat(best.parts().features()).containsOnlyKeys("turn", "meaning");
      assertThat(answer.hits().getLast().parts().lexicalRank()).isEmpty();
    }
  }

  @Test
  void reciprocalRanks_areNotReordered_byWhatIsNewer() {
    String older = "billing runs postgres 16";
    String newer = "billing now runs postgres 17 instead";
    try (Bench bench = bench().say(said("a", 0, older), said("b", 9, newer)).follow()) {
      for (Fusion fusion : Fusion.values()) {
        SearchAnswer answer =
            bench
                .searcher()
                .search(request("billing postgres", SearchMode.LEXICAL, fusion, Filters.NONE));
        assertThat(bench.texts(answer).getFirst())
            .as(fusion.name())
            .isEqualTo(
                switch (fusion) {
                  case WEIGHTED -> newer;
                  case RECIPROCAL_RANK -> older;
                });
      }
    }
  }

  @Test
  void modelThatIsAway_isSaid_andWordsFind() {
    Embedder away =
        new Embedder() {
          @Override
          public String model() {
            return "away";
          }

          @Override
          public int dimension() {
            throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, "the model is away");
          }

          @Override
          public List<float[]> documents(List<String> texts) {
            throw new AssertionError("not asked");
          }

          @Override
          public float[] query(String text) {
            throw new AssertionError("not asked");
          }
        };
    try (Bench bench = bench().say(said("a", 0, "the plan")).follow()) {
      for (SearchMode mode : List.of(SearchMode.AUTO, SearchMode.HYBRID, SearchMode.SEMANTIC)) {
        SearchAnswer answer = bench.ask(away, "plan", mode);
        assertThat(bench.texts(answer)).containsExactly("the plan");
        assertThat(answer.used()).isEqualTo(SearchMode.LEXICAL);
        assertThat(answer.degraded().orElseThrow()).contains("by words", "the model is away");
      }
      assertThat(bench.ask(away, "plan", SearchMode.LEXICAL).degraded()).isEmpty();
    }
  }

  @Test
  void strictTime_leavesOutWhatWasNotThen() {
    Event old = said("a", -7 * 24 * 60, "the plan is new");
    try (Bench bench = bench().say(old, said("a", -60, "the plan is old")).follow()) {
      String query = "what was the plan last week";
      SearchAnswer soft = bench.ask(query);
      assertThat(bench.texts(soft)).containsExactly("the plan is new", "the plan is old");
      assertThat(soft.time().orElseThrow().start())
          .isEqualTo(Instant.parse("2026-01-19T00:00:00Z"));
      assertThat(bench.texts(bench.searcher().search(strict(query))))
          .containsExactly("the plan is new");
      assertThat(bench.searcher().search(strict("the plan of two years ago")).nothingBecause())
          .contains("nothing matches the filters");
      assertThat(bench.texts(bench.searcher().search(strict("the plan")))).hasSize(2);
    }
  }

  private static SearchRequest strict(String query) {
    return SearchRequest.of(query, 20, START).withStrictTime(true);
  }

  @Test
  void nothing_tellsFiltersWordsAndPagesApart() {
    try (Bench bench = bench().say(said("a", 0, "the plan")).follow()) {
      assertThat(bench.ask("plan role:tool").nothingBecause())
          .contains("nothing matches the filters");
      assertThat(bench.ask("zebra role:user").nothingBecause())
          .contains("nothing that matches the filters contains a word of the query");
      assertThat(bench.ask("role:user").nothingBecause())
          .contains("the query contains no search terms");
      assertThat(bench.ask("plan level:day").nothingBecause())
          .contains("nothing matches the filters");
      assertThat(page(bench.searcher(), 10).nothingBecause().orElseThrow())
          .contains("a word of the query");
      SearchRequest second = SearchRequest.of("plan", 5, START).withOffset(5);
      assertThat(bench.searcher().search(second).nothingBecause())
          .contains("there are only 1 hits");
    }
  }

  @Test
  void functionWordsAlone_areNoQuestion() {
    try (Bench bench = bench().say(said("a", 0, "What did you plan, and why?")).follow()) {
      for (String query : List.of("what is the", "Why?", "you and why role:user")) {
        SearchRequest request =
            SearchRequest.of(query, 5, START).withThreshold(RelevanceThreshold.DEFAULT);
        SearchAnswer answer = bench.searcher().search(request);
        assertThat(answer.hits()).as(query).isEmpty();
        assertThat(answer.nothingBecause().orElseThrow())
            .as(query)
            .contains("function words only", "minimum relevance of 0");
        SearchAnswer all = bench.searcher().search(request.withThreshold(RelevanceThreshold.NONE));
        assertThat(bench.texts(all)).as(query).hasSize(1);
      }
      SearchRequest unindexed =
          SearchRequest.of("the", 5, START).withThreshold(RelevanceThreshold.DEFAULT);
      assertThat(bench.searcher().search(unindexed).nothingBecause().orElseThrow())
          .contains("function words only");
      for (String query :
          List.of("the plan", "\"the\"", "what is \"the\"", "wh*", "what was today")) {
        SearchRequest request =
            SearchRequest.of(query, 5, START).withThreshold(RelevanceThreshold.DEFAULT);
        assertThat(bench.searcher().search(request).nothingBecause().orElse(""))
            .as(query)
            .doesNotContain("function words");
      }
    }
  }

  @Test
  void nothing_saysThatARebuildIsOwed() {
    try (Bench bench = bench().say(said("a", 0, "the plan")).follow()) {
      bench.index.close();
      bench.index = SearchIndex.open(folder.resolve("fresh"), bench.sources, bench.nanos::get);
      assertThat(bench.ask("plan").nothingBecause())
          .contains("the index is being rebuilt and is still empty");
      bench.say(said("b", 5, "zebra")).follow();
      assertThat(bench.ask("plan").nothingBecause().orElseThrow())
          .contains("a word of the query", "being rebuilt and is still incomplete");
    }
  }

  /// Puts one segment of all events into the table of contents and indexes it.
  ///
  /// @return the title of its day
  private static String summarised(Bench bench, Event... events) {
    bench.store.commit(
        Commit.of(
            TestToc.putTree(
                TestSegments.segment(Boundary.SESSION_END, List.of(events)), List.of())));
    bench.follow();
    bench.index.followSummaries(100);
    bench.index.refresh();
    return bench
        .store
        .node(bench.store.nodeIds(TocLevel.DAY, Optional.empty(), 1).getFirst())
        .orElseThrow()
        .title();
  }

  @Test
  void summaries_areFoundWhereAskedFor() {
    Event[] events = {said("s", 0, "we moved"), said("s", 1, "fine")};
    try (Bench bench = bench().say(events)) {
      String title = summarised(bench, events);
      Filters days = Filters.NONE.withLevel(TocLevel.DAY);
      List<Hit> hits = bench.searcher().search(filtered(title, days)).hits();
      assertThat(hits).hasSize(1);
      assertThat(hits.getFirst().kind()).isEqualTo(HitKind.ROLLUP);
    }
  }

  @Test
  void relevanceOfASummary_fallsWithTheWordsThatItLacks() {
    Event[] events = {said("s", 0, "we moved the database to Postgres"), said("s", 1, "fine")};
    try (Bench bench = bench().say(events)) {
      String title = summarised(bench, events);
      Filters days = Filters.NONE.withLevel(TocLevel.DAY);
      double all = bench.searcher().search(filtered(title, days)).hits().getFirst().relevance();
      double few =
          bench
              .searcher()
              .search(filtered(title + " zebra giraffe elephant monkey lion tiger", days))
              .hits()
              .getFirst()
              .relevance();
      assertThat(all).isGreaterThan(RelevanceThreshold.DEFAULT.best());
      assertThat(few).isLessThan(all / 2);
    }
  }

  @Seeds(200)
  @Tag("slow")
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
      if (query.toString().isBlank()) {
        query.append('a');
      }
      SearchAnswer answer = bench.ask(query.toString());
      assertThat(answer.hits().isEmpty()).isEqualTo(answer.nothingBecause().isPresent());
    }
  }

  /// Where nothing is asked but how words begin, whatever has such a word is what was asked for.
  @Test
  void hitOfABeginning_isRelevant_andItsNeighbourIsNot() {
    try (Bench bench =
        bench()
            .say(said("a", 0, "exponential waits between attempts"), said("a", 1, "sounds good"))
            .follow()) {
      List<Hit> hits = bench.ask("exponen*").hits();
      assertThat(bench.texts(bench.ask("exponen*")))
          .startsWith("exponential waits between attempts");
      assertThat(hits.getFirst().relevance()).isGreaterThan(0.9);
      assertThat(hits.subList(1, hits.size())).allMatch(hit -> hit.relevance() < 0.05);
    }
  }
}
