package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.SearchRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Search through client and server, over a real index.
class SearchCallsTest {

  private static final long DAY = 24 * 3_600_000;

  private final Fixture fixture = Fixture.open();
  private final MemoryClient client = fixture.client();

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  private void putTalk() {
    fixture.store.commit(
        Commit.append(
            List.of(
                Samples.event(0, Samples.START, "The retry policy of the worker uses full jitter."),
                Samples.event(1, Samples.START + 1, "The invoice was printed twice."),
                Samples.event(2, Samples.START + 2, "Should the retry wait longer without jitter?"),
                Samples.event(3, Samples.START - DAY, "Jitter was new to the team."))));
  }

  private SearchAnswer search(String query) {
    return client
        .search()
        .search(dev.agentmemory.api.search.SearchRequest.of(query, 10, Fixture.NOW));
  }

  private static dev.agentmemory.api.search.SearchRequest filtered(Filters filters, Fusion fusion) {
    return dev.agentmemory.api.search.SearchRequest.of("jitter", 10, Fixture.NOW)
        .withMode(SearchMode.LEXICAL)
        .withFusion(fusion)
        .withFilters(filters)
        .withExplain(true);
  }

  @Test
  void search_words_findsTheEventsAndShowsWhy() {
    putTalk();
    SearchAnswer answer = search("full jitter");
    assertThat(answer.used()).isEqualTo(SearchMode.LEXICAL);
    assertThat(answer.nothingBecause()).isEmpty();
    Hit best = answer.hits().getFirst();
    assertThat(best.kind()).isEqualTo(HitKind.EVENT);
    assertThat(best.event().orElseThrow().id()).isEqualTo(Samples.id(0));
    assertThat(best.time()).isEqualTo(Instant.ofEpochMilli(Samples.START));
    assertThat(best.role()).contains(EventRole.USER);
    assertThat(best.agent()).contains("claude");
    assertThat(best.session()).contains(new SessionId("s0"));
    assertThat(best.parts().lexicalRank()).hasValue(1);
    assertThat(best.parts().features()).isEmpty();
    assertThat(marked(best.snippet())).containsExactly("full", "jitter");
  }

  private static List<String> marked(Snippet snippet) {
    return snippet.highlights().stream()
        .map(mark -> snippet.text().substring(mark.start(), mark.end()))
        .toList();
  }

  @Test
  void search_summaries_findsTheNode() {
    fixture.put(Samples.year(2026));
    Filters rollups = Filters.NONE.withKinds(Set.of(HitKind.ROLLUP));
    Hit hit = client.search().search(filtered(rollups, Fusion.WEIGHTED)).hits().getFirst();
    assertThat(hit.kind()).isEqualTo(HitKind.ROLLUP);
    assertThat(hit.node()).contains(NodeId.year(2026));
    assertThat(hit.title()).contains("toc:year:2026 title");
    assertThat(hit.role()).isEmpty();
    assertThat(hit.grips()).containsExactly(Samples.grip(1));
  }

  @Test
  void search_filtersAndExplain_reachTheIndex() {
    putTalk();
    Filters session =
        Filters.NONE
            .withSession(new SessionId("s2"))
            .withAgent("claude")
            .withRole(EventRole.USER)
            .withAfter(Instant.ofEpochMilli(Samples.START))
            .withBefore(Fixture.NOW)
            .withKinds(Set.of(HitKind.EVENT));
    List<Hit> hits = client.search().search(filtered(session, Fusion.WEIGHTED)).hits();
    assertThat(hits)
        .extracting(hit -> hit.event().orElseThrow().id())
        .containsExactly(Samples.id(2));
    assertThat(hits.getFirst().parts().features()).isNotEmpty();
  }

  @Test
  void search_reciprocalRank_scoresByPlaces() {
    putTalk();
    Hit best =
        client.search().search(filtered(Filters.NONE, Fusion.RECIPROCAL_RANK)).hits().stream()
            .filter(hit -> hit.parts().lexicalRank().orElse(0) == 1)
            .findFirst()
            .orElseThrow();
    assertThat(best.parts().semanticRank()).isEmpty();
    assertThat(best.score()).isEqualTo(1 / 61.0);
  }

  @Test
  void search_offset_turnsThePage() {
    putTalk();
    var request = SearchRequest.newBuilder().setQuery("jitter").setLimit(2);
    var first = fixture.search().search(request.build());
    var second = fixture.search().search(request.setOffset(2).build());
    assertThat(first.getHitsCount()).isEqualTo(2);
    assertThat(first.getMore()).isTrue();
    assertThat(second.getHitsCount()).isEqualTo(1);
    assertThat(second.getMore()).isFalse();
    assertThat(second.getHits(0).getEventId())
        .isNotIn(first.getHits(0).getEventId(), first.getHits(1).getEventId());
  }

  @Test
  void search_timeWithoutNow_isSeenFromTheDaemonsPresent() {
    putTalk();
    var request = SearchRequest.newBuilder().setQuery("jitter yesterday").setStrictTime(true);
    var answer = fixture.search().search(request.build());
    assertThat(answer.getHitsList())
        .extracting(hit -> hit.getEventId())
        .containsExactly(Samples.id(3).value());
    assertThat(answer.getTimeToMs())
        .isBetween(Samples.START - DAY, Fixture.NOW.toEpochMilli())
        .isEqualTo(answer.getTimeFromMs() + DAY - 1);
    // Three days later, yesterday is another day.
    var later = request.setNowMs(Fixture.NOW.toEpochMilli() + 3 * DAY).build();
    assertThat(fixture.search().search(later).getHitsList()).isEmpty();
  }

  @Test
  void search_nothing_isWellAndSaysWhy() {
    assertThat(search("jitter").nothingBecause()).contains("the index is empty");
    putTalk();
    assertThat(search("xylophone").hits()).isEmpty();
    assertThat(search("xylophone").nothingBecause()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TypeError: x (",
        "\"unclosed",
        "'''",
        "[)(&|!^~*?:\\/",
        "- * \"",
        "foo:bar AND OR NOT",
        "after:2026-02-30",
        "📦 名前 \u202e\u0000",
        "𐀀",
      })
  void search_anyCharacter_isSafe(String query) {
    putTalk();
    assertThat(search(query).used()).isEqualTo(SearchMode.LEXICAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "query: '' | query | give at least one search term",
        "query: 'x' limit: 101 | limit | expected 1 to 100",
        "query: 'x' offset: 191 | offset | expected 0 to 190",
        "query: 'x' min_relevance: nan | min_relevance | expected 0 to 1",
        "query: 'x' mode: 7 | mode | is not a known value of SearchMode",
        "query: 'x' filters { after_ms: 2 before_ms: 1 } | filters.before_ms | raise it",
        "query: 'x' filters { session_id: '' } | filters.session_id | is empty",
        "query: 'x' filters { tags: ' ' } | filters.tags | is blank",
      })
  void search_badField_isRefusedByName(String message, String field, String remedy)
      throws Exception {
    SearchRequest request = TextFormat.parse(message, SearchRequest.class);
    Refusals.of(() -> fixture.search().search(request))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names(field)
        .says(remedy);
  }

  @Test
  void buildContext_question_citesTheEventsInsideTheBudget() {
    putTalk();
    Context context = client.search().context(evidence("full jitter", 300));
    assertThat(context.nothingBecause()).isEmpty();
    assertThat(context.tokens()).isBetween(1, 300).isEqualTo(context.markdown().length());
    assertThat(context.events()).contains(Samples.id(0));
    assertThat(context.markdown()).contains("full jitter", "[evt:" + Samples.id(0) + "]");
  }

  @Test
  void buildContext_nothing_isWellAndSaysWhy() {
    putTalk();
    Context context = client.search().context(evidence("xylophone", 300));
    assertThat(context.markdown()).isEmpty();
    assertThat(context.tokens()).isZero();
    assertThat(context.nothingBecause()).isPresent();
  }

  private static ContextRequest evidence(String query, int budget) {
    return ContextRequest.of(query, budget, Fixture.NOW);
  }

  @Test
  void buildContext_badField_isRefusedByName() throws Exception {
    var request = BuildContextRequest.newBuilder().setQuery("x").setTokenBudget(49).build();
    Refusals.of(() -> fixture.search().buildContext(request))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("token_budget")
        .says("expected 50 to 100000");
  }

  @Test
  void statusAndRebuild_countTheEvents() {
    putTalk();
    SearchReport report = client.search().status();
    assertThat(report.events()).isEqualTo(4);
    assertThat(report.behind()).isZero();
    assertThat(report.model()).isEmpty();
    assertThat(report.rebuilt()).isEmpty();
    assertThat(client.search().rebuild()).isEqualTo(4);
    assertThat(search("jitter").hits()).hasSize(3);
  }
}
