package dev.agentmemory.cli.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// What `memory search` shows of an answer.
class SearchReplyTest {

  private static final Instant TIME = Instant.parse("2026-01-30T14:30:00Z");
  private static final EventId EVENT = new EventId("01KG7Z5P0X0000000000000000");
  private static final NodeId DAY = NodeId.day(LocalDate.of(2026, 1, 30));
  private static final NodeId SEGMENT = NodeId.segment(LocalDate.of(2026, 1, 30), EVENT);
  private static final GripId GRIP = GripId.of(TIME, EVENT);
  private static final Hit SAID =
      new Hit(
          HitKind.EVENT,
          Optional.of(new EventKey(TIME, EVENT)),
          Optional.empty(),
          Optional.empty(),
          TIME,
          Optional.of(EventRole.ASSISTANT),
          Optional.of("claude"),
          Optional.empty(),
          Optional.of(new SessionId("s1")),
          1.234,
          0.876,
          new Parts(
              OptionalInt.of(1),
              OptionalInt.of(4),
              3.21,
              0.71,
              0,
              1,
              Map.of("window", 0.25, "turn", 0.5, "question", -0.3)),
          new Snippet("We decided: full jitter.", List.of(new Snippet.Highlight(12, 23))),
          List.of(NodeId.year(2026), DAY, SEGMENT),
          List.of(GRIP, GripId.of(TIME.plusSeconds(1), EVENT)),
          Said.once(TIME));
  private static final Hit SUMMARY =
      new Hit(
          HitKind.ROLLUP,
          Optional.empty(),
          Optional.of(DAY),
          Optional.empty(),
          TIME,
          Optional.empty(),
          Optional.empty(),
          Optional.of("Friday, January 30, 2026"),
          Optional.empty(),
          1,
          0.5,
          new Parts(OptionalInt.of(2), OptionalInt.empty(), 1, 0, 0, 1, Map.of()),
          new Snippet("Retries", List.of()),
          List.of(NodeId.year(2026), DAY),
          List.of(),
          Said.once(TIME));

  @Test
  void print_hits_showsWhyAndHowToGoOn() {
    assertThat(print(reply(SAID, SUMMARY)).lines())
        .containsExactly(
            "2 hits by words and meaning",
            "",
            "1   2026-01-30 14:30:00  assistant (claude)  relevance 0.88",
            "    We decided: full jitter.",
            "    memory toc " + SEGMENT,
            "    memory grip " + GRIP + "  (+1)",
            "",
            "2   2026-01-30 14:30:00  Friday, January 30, 2026  relevance 0.50",
            "    Retries",
            "    memory toc " + DAY);
  }

  @Test
  void memory_isShownWithItsKind_andLeadsToItself() {
    Hit memory =
        new Hit(
            HitKind.MEMORY,
            Optional.empty(),
            Optional.empty(),
            Optional.of(new MemoryId(EVENT)),
            TIME,
            Optional.empty(),
            Optional.empty(),
            Optional.of("decision (retry.policy)"),
            Optional.of(new SessionId("s1")),
            0.5,
            0.5,
            new Parts(OptionalInt.of(1), OptionalInt.empty(), 1, 0, 0, 0.9, Map.of()),
            new Snippet("Use full jitter.", List.of()),
            List.of(),
            List.of(),
            Said.once(TIME));
    assertThat(print(reply(memory)).lines())
        .containsExactly(
            "1 hit by words and meaning",
            "",
            "1   2026-01-30 14:30:00  decision (retry.policy)  relevance 0.50",
            "    Use full jitter.",
            "    memory memories get " + EVENT);
    assertThat(json(reply(memory))).contains("\"memory_id\":\"" + EVENT + "\"");
    assertThat(json(reply(SAID))).contains("\"memory_id\":null");
  }

  @Test
  void print_hitThatStandsNowhereYet_leadsToItsSession() {
    Hit fresh =
        new Hit(
            SAID.kind(),
            SAID.event(),
            SAID.node(),
            SAID.memory(),
            SAID.time(),
            SAID.role(),
            Optional.empty(),
            SAID.title(),
            SAID.session(),
            SAID.score(),
            SAID.relevance(),
            SAID.parts(),
            SAID.snippet(),
            List.of(),
            List.of(),
            SAID.said());
    assertThat(print(reply(fresh)).lines())
        .contains("1   2026-01-30 14:30:00  assistant  relevance 0.88")
        .last()
        .isEqualTo("    memory events --session s1");
  }

  private static Hit said(Hit hit, Said said) {
    return new Hit(
        hit.kind(),
        hit.event(),
        hit.node(),
        hit.memory(),
        hit.time(),
        hit.role(),
        hit.agent(),
        hit.title(),
        hit.session(),
        hit.score(),
        hit.relevance(),
        hit.parts(),
        hit.snippet(),
        hit.path(),
        hit.grips(),
        said);
  }

  @Test
  void hitThatWasSaidSeveralTimes_saysHowOftenAndSinceWhen() {
    var reply = reply(said(SAID, new Said(3, TIME.minusSeconds(3600))));
    assertThat(print(reply).lines()).contains("    said 3 times since 2026-01-30 13:30:00");
    assertThat(json(reply)).contains("\"said_times\":3,\"said_since_ms\":1769779800000");
    assertThat(print(reply(SAID))).doesNotContain("since");
  }

  @Test
  void phraseThatNothingHolds_showsWhatComesNear() {
    var answer =
        new SearchAnswer(
            List.of(),
            false,
            SearchMode.LEXICAL,
            Optional.empty(),
            Optional.empty(),
            Optional.of("nothing contains \"full jitters\" literally"),
            List.of(SAID),
            Optional.empty());
    var reply = new SearchReply(request(0, false), answer, new Times(ZoneOffset.UTC));
    assertThat(print(reply).lines())
        .startsWith(
            "no hits: nothing contains \"full jitters\" literally",
            "",
            "closest matches without the quotes:",
            "",
            "1   2026-01-30 14:30:00  assistant (claude)  relevance 0.88");
    assertThat(json(reply)).contains("\"hits\":[],\"near\":[{\"kind\":\"event\"");
  }

  @Test
  void print_explain_namesThePartsByWeight() {
    var reply = new SearchReply(request(0, true), answer(false, SAID), new Times(ZoneOffset.UTC));
    assertThat(print(reply))
        .contains(
            "    score 1.23, words #1 3.21, meaning #4 0.71, time 0.00, decay 1.00;"
                + " turn 0.50, question -0.30,\n    window 0.25\n");
    assertThat(print(reply(SAID))).doesNotContain("decay");
  }

  @Test
  void print_secondPage_countsOnAndSaysWhetherThereIsMore() {
    var times = new Times(ZoneOffset.UTC);
    assertThat(print(new SearchReply(request(10, false), answer(true, SAID), times)).lines())
        .startsWith("hits 11 to 11 by words and meaning; more with --offset 11")
        .contains("11  2026-01-30 14:30:00  assistant (claude)  relevance 0.88");
    assertThat(print(new SearchReply(request(190, false), answer(true, SAID), times)).lines())
        .as("nothing is offered that would be refused")
        .startsWith("hits 191 to 191 by words and meaning");
  }

  @Test
  void print_timeAndDegraded_areTold() {
    var answer =
        new SearchAnswer(
            List.of(),
            false,
            SearchMode.LEXICAL,
            Optional.of(new Span(TIME, TIME.plusSeconds(59))),
            Optional.of("no event has an embedding yet; searched by words"),
            Optional.of("nothing contains a word of the query"),
            List.of(),
            Optional.empty());
    var reply = new SearchReply(request(0, false), answer, new Times(ZoneOffset.UTC));
    assertThat(print(reply).lines())
        .containsExactly(
            "no hits: nothing contains a word of the query",
            "time in the query: 2026-01-30 14:30:00 to 2026-01-30 14:30:59",
            "limited search: no event has an embedding yet; searched by words");
    assertThat(json(reply))
        .isEqualTo(
            "{\"query\":\"jitter\",\"used\":\"lexical\","
                + "\"degraded\":\"no event has an embedding yet; searched by words\","
                + "\"nothing_because\":\"nothing contains a word of the query\","
                + "\"time_from_ms\":1769783400000,\"time_to_ms\":1769783459000,\"more\":false,"
                + "\"hits\":[],\"near\":[]}\n");
  }

  @Test
  void print_colours_markWhatMatched() {
    assertThat(print(reply(SAID), 80, /* colours= */ true))
        .contains("    We decided: \u001b[1;32mfull jitter\u001b[0m.\n");
  }

  @Test
  void print_narrow_breaksTheSnippetButNoId() {
    assertThat(print(reply(SAID), 40, /* colours= */ false).lines())
        .contains("    memory toc " + SEGMENT, "    memory grip " + GRIP + "  (+1)");
    assertThat(print(reply(SUMMARY), 40, /* colours= */ false).lines())
        .filteredOn(line -> line.startsWith("1 "))
        .allSatisfy(line -> assertThat(Columns.width(line)).isLessThanOrEqualTo(40));
  }

  @Test
  void json_hit_hasStableNames() {
    assertThat(json(reply(SAID)))
        .contains(
            "\"more\":false,\"hits\":[{\"kind\":\"event\",\"event_id\":\""
                + EVENT
                + "\",\"node_id\":null,\"time_ms\":1769783400000,\"role\":\"assistant\","
                + "\"agent\":\"claude\",\"title\":null,\"session_id\":\"s1\",\"score\":1.234,"
                + "\"relevance\":0.876,\"parts\":{\"lexical_rank\":1,\"semantic_rank\":4,"
                + "\"lexical\":3.21,\"semantic\":0.71,\"time\":0.0,\"decay\":1.0,"
                + "\"features\":{\"question\":-0.3,\"turn\":0.5,\"window\":0.25}},"
                + "\"snippet\":\"We decided: full jitter.\","
                + "\"highlights\":[{\"start\":12,\"end\":23}],\"path\":[\"toc:year:2026\",");
  }

  private static SearchReply reply(Hit... hits) {
    return new SearchReply(request(0, false), answer(false, hits), new Times(ZoneOffset.UTC));
  }

  private static SearchRequest request(int offset, boolean explain) {
    return SearchRequest.of("jitter", 10, TIME).withOffset(offset).withExplain(explain);
  }

  private static SearchAnswer answer(boolean more, Hit... hits) {
    return new SearchAnswer(
        List.of(hits),
        more,
        SearchMode.HYBRID,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  private static String print(SearchReply reply) {
    return print(reply, 100, /* colours= */ false);
  }

  private static String print(SearchReply reply, int columns, boolean colours) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    reply.print(new Terminal(stream, stream, Optional.of(columns), colours));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String json(SearchReply reply) {
    var out = new ByteArrayOutputStream();
    JsonWriter.object(out, /* indented= */ false, reply::write);
    return out.toString(StandardCharsets.UTF_8);
  }
}
