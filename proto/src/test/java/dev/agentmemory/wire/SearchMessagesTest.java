package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.TextFormat;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.BuildContextResponse;
import dev.agentmemory.proto.SearchRequest;
import dev.agentmemory.proto.SearchResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What a caller leaves out, and what nobody may send.
class SearchMessagesTest {

  private static final Instant PRESENT = Instant.parse("2026-01-30T12:00:00Z");

  @Test
  void request_onlyAQuery_hasTheDefaults() {
    var request =
        SearchMessages.fromWire(SearchRequest.newBuilder().setQuery("jitter").build(), PRESENT);
    assertThat(request)
        .isEqualTo(
            dev.agentmemory.api.search.SearchRequest.of(
                "jitter", SearchMessages.DEFAULT_LIMIT, PRESENT));
    assertThat(request.mode()).isEqualTo(SearchMode.AUTO);
    assertThat(request.fusion()).isEqualTo(Fusion.WEIGHTED);
    var context =
        SearchMessages.fromWire(
            BuildContextRequest.newBuilder().setQuery("jitter").build(), PRESENT);
    assertThat(context.budget()).isEqualTo(SearchMessages.DEFAULT_BUDGET);
    assertThat(context.filters()).isEqualTo(Filters.NONE);
    assertThat(context.now()).isEqualTo(PRESENT);
  }

  @Test
  void request_atTheBounds_isTaken() throws TextFormat.ParseException {
    assertThat(search("query: 'x' limit: 100 offset: 100 min_relevance: 1").offset())
        .isEqualTo(100);
    assertThat(search("query: 'x' limit: -1").limit()).isEqualTo(SearchMessages.DEFAULT_LIMIT);
    assertThat(search("query: '" + "x".repeat(4096) + "'").query()).hasSize(4096);
    assertThat(search("query: 'x' filters { kinds: SEARCH_KIND_UNSPECIFIED }").filters())
        .isEqualTo(Filters.NONE);
    for (int budget : List.of(50, 100_000)) {
      assertThat(
              SearchMessages.fromWire(
                      BuildContextRequest.newBuilder().setQuery("x").setTokenBudget(budget).build(),
                      PRESENT)
                  .budget())
          .isEqualTo(budget);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query: ' ' | query | give at least one search term",
        "query: 'x' mode: 9 | mode | is not a known value of SearchMode",
        "query: 'x' fusion: 9 | fusion | is not a known value of SearchFusion",
        "query: 'x' limit: 101 | limit | is 101; expected 1 to 100, or 0 for 10",
        "query: 'x' offset: -1 | offset | is -1; expected 0 to 190",
        "query: 'x' offset: 191 | offset | is 191; expected 0 to 190 with a limit of 10",
        "query: 'x' limit: 100 offset: 101 | offset | expected 0 to 100",
        "query: 'x' offset: 2147483647 | offset | expected 0 to 190",
        "query: 'x' min_relevance: nan | min_relevance | is NaN; expected 0 to 1",
        "query: 'x' min_best_relevance: nan | min_best_relevance | is NaN; expected 0 to 1",
        "query: 'x' min_best_relevance: 1.1 | min_best_relevance | is 1.1; expected 0 to 1",
        "query: 'x' min_relevance: 1.1 | min_relevance | is 1.1; expected 0 to 1",
        "query: 'x' min_relevance: -0.1 | min_relevance | is -0.1; expected 0 to 1",
        "query: 'x' now_ms: -1 | now_ms | expected milliseconds since 1970",
        "query: 'x' now_ms: 9223372036854775807 | now_ms | expected milliseconds since 1970",
        "query: 'x' filters { session_id: '' } | filters.session_id | is empty",
        "query: 'x' filters { agent: ' ' } | filters.agent | is blank",
        "query: 'x' filters { role: 9 } | filters.role | is not a known value of EventRole",
        "query: 'x' filters { level: 9 } | filters.level | is not a known value of TocLevel",
        "query: 'x' filters { kinds: 9 } | filters.kinds | is not a known value of SearchKind",
        "query: 'x' filters { tags: '' } | filters.tags | is blank",
        "query: 'x' filters { tags: 'a,b' } | filters.tags | each tag separately",
        "query: 'x' filters { after_ms: -1 } | filters.after_ms | expected milliseconds",
        "query: 'x' filters { before_ms: 10000000000000 } | filters.before_ms | expected",
        "query: 'x' filters { after_ms: 5 before_ms: 5 } | filters.before_ms | is not later",
      })
  void request_badField_isNamedWithARemedy(String message, String field, String expected) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> search(message))
        .withMessageContaining(expected)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD))
        .satisfies(e -> assertThat(e.field()).contains(field));
  }

  @Test
  void request_tooLongQuery_saysHowLongItIs() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> search("query: '" + "x".repeat(4097) + "'"))
        .withMessage("query: is 4097 characters long; shorten it to 4096 at most");
  }

  @ParameterizedTest
  @CsvSource({"-1", "1", "49", "100001"})
  void context_badBudget_isNamed(int budget) {
    var message = BuildContextRequest.newBuilder().setQuery("x").setTokenBudget(budget).build();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> SearchMessages.fromWire(message, PRESENT))
        .withMessage("token_budget: is " + budget + "; expected 50 to 100000, or 0 for 1500");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "used: 9 | used",
        "time_from_ms: 2 time_to_ms: 1 | time_to_ms",
        "hits { } | hits.kind",
        "hits { kind: SEARCH_KIND_EVENT event_id: 'x' } | hits.event_id",
        "hits { kind: SEARCH_KIND_EVENT event_id: '01ARZ3NDEKTSV4RRFF00000001' time_ms: -1 }"
            + " | hits.time_ms",
        "hits { kind: SEARCH_KIND_ROLLUP node_id: 'x' } | hits.node_id",
        "hits { kind: SEARCH_KIND_ROLLUP path: 'x' } | hits.path",
        "hits { kind: SEARCH_KIND_ROLLUP grip_ids: 'x' } | hits.grip_ids",
        "hits { kind: SEARCH_KIND_EVENT role: 9 } | hits.role",
        "hits { kind: SEARCH_KIND_EVENT highlights { end: 1 } } | hits.highlights",
        "hits { kind: SEARCH_KIND_EVENT snippet: 'ab' highlights { start: 1 } } | hits.highlights",
        "hits { kind: SEARCH_KIND_EVENT snippet: 'ab' highlights { end: 2 } highlights { end: 1 } }"
            + " | hits.highlights",
      })
  void answer_badField_isNamed(String message, String field) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> SearchMessages.fromWire(TextFormat.parse(message, SearchResponse.class)))
        .satisfies(e -> assertThat(e.field()).contains(field));
  }

  static Stream<byte[]> noise() {
    return LongStream.range(0, 200).mapToObj(SearchMessagesTest::noisy);
  }

  /// A message of which some bytes are others.
  private static byte[] noisy(long seed) {
    var random = new Random(seed);
    var values = new RandomValues(random);
    byte[] bytes =
        (random.nextBoolean()
                ? SearchMessages.toWire(values.searchRequest())
                : SearchMessages.toWire(values.searchAnswer()))
            .toByteArray();
    IntStream.range(0, 3)
        .forEach(i -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256));
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("noise")
  void anyMessage_isReadOrRefused(byte[] bytes) {
    readOrRefused(SearchRequest.parser(), bytes, m -> SearchMessages.fromWire(m, PRESENT));
    readOrRefused(BuildContextRequest.parser(), bytes, m -> SearchMessages.fromWire(m, PRESENT));
    readOrRefused(SearchResponse.parser(), bytes, SearchMessages::fromWire);
    readOrRefused(BuildContextResponse.parser(), bytes, SearchMessages::fromWire);
  }

  private static <M> void readOrRefused(
      Parser<M> parser, byte[] bytes, Function<M, Object> reading) {
    M message;
    try {
      message = parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      // Not a message at all; whoever parses refuses it.
      return;
    }
    try {
      assertThat(reading.apply(message)).isNotNull();
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    }
  }

  private static dev.agentmemory.api.search.SearchRequest search(String message)
      throws TextFormat.ParseException {
    return SearchMessages.fromWire(TextFormat.parse(message, SearchRequest.class), PRESENT);
  }
}
