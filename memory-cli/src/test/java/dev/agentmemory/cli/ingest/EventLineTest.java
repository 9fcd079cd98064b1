package dev.agentmemory.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventLineTest {

  @Test
  void parse_everyField_isTaken() {
    Event event =
        EventLine.parse(
                """
                {"event_id":"01kgewpy80qgv0rbj0yhjyh2bv","session_id":"s1","timestamp_ms":1769783400123,
                 "event_type":"tool_result","role":"tool","text":"ok","agent":"claude","position":42,"extra":[1],
                 "metadata":{"tool":"Bash","exit":0,"took":1.50,"cached":true,"none":null}}\
                """)
            .event();

    assertThat(event)
        .isEqualTo(
            new Event(
                new EventId("01KGEWPY80QGV0RBJ0YHJYH2BV"),
                new SessionId("s1"),
                Instant.ofEpochMilli(1769783400123L),
                EventType.TOOL_RESULT,
                EventRole.TOOL,
                "ok",
                Map.of("tool", "Bash", "exit", "0", "took", "1.5", "cached", "true"),
                Optional.of("claude"),
                42));
  }

  @Test
  void parse_isoTimeWithOffset_isThatInstant() {
    assertThat(parseWith("\"timestamp\":\"2026-01-30T15:30:00+01:00\"").timestamp())
        .isEqualTo(Instant.parse("2026-01-30T14:30:00Z"));
  }

  @Test
  void parse_withoutId_sameContentSameId() {
    Event first =
        parseWith("\"timestamp\":\"2026-01-30T14:30:00Z\",\"metadata\":{\"a\":\"1\",\"b\":\"2\"}");
    Event again =
        parseWith("\"metadata\":{\"b\":\"2\",\"a\":\"1\"},\"timestamp_ms\":1769783400000");

    assertThat(again).isEqualTo(first);
    assertThat(first.id().embeddedTime()).isEqualTo(first.timestamp());
  }

  @Test
  void parse_withoutId_otherContentOtherId() {
    Event first = parseWith("\"timestamp_ms\":1");
    Event other = parseWith("\"timestamp_ms\":1,\"agent\":\"codex\"");

    assertThat(other.id()).isNotEqualTo(first.id());
  }

  @ParameterizedTest
  @CsvSource({
    "assistant_message, ASSISTANT_MESSAGE, ASSISTANT",
    "EVENT_TYPE_TOOL_RESULT, TOOL_RESULT, TOOL",
    "Session_End, SESSION_END, SYSTEM",
    "assistant_stop, ASSISTANT_STOP, ASSISTANT",
  })
  void parse_typeWithoutRole_roleFollows(String written, EventType type, EventRole role) {
    Event event = parseWith("\"timestamp_ms\":1,\"event_type\":\"" + written + "\"");

    assertThat(event.type()).isEqualTo(type);
    assertThat(event.role()).isEqualTo(role);
  }

  @Test
  void parse_roleWithoutType_typeFollows() {
    assertThat(parseWith("\"timestamp_ms\":1,\"role\":\"assistant\"").type())
        .isEqualTo(EventType.ASSISTANT_MESSAGE);
  }

  @Test
  void parse_neitherTypeNorRole_isAUserMessage() {
    assertThat(parseWith("\"timestamp_ms\":1").type()).isEqualTo(EventType.USER_MESSAGE);
  }

  @Test
  void parse_borderWithoutText_isFine() {
    Event end =
        EventLine.parse("{\"session_id\":\"s\",\"timestamp_ms\":1,\"event_type\":\"session_end\"}")
            .event();

    assertThat(end.text()).isEmpty();
  }

  @Test
  void parse_exampleOfTheSchema_isTaken() {
    EventLine line =
        EventLine.parse(
            """
            {
              "event_id": "01HN4QXKN6YWXVKZ3JMHP4BCDE",
              "session_id": "session-xyz-123",
              "timestamp": 1706540400000,
              "event_type": "user_message",
              "role": "user",
              "text": "How do I implement JWT authentication?",
              "metadata": {"project": "/home/user/my-app"}
            }
            """);

    assertThat(line.unknown()).isEmpty();
    assertThat(line.event().timestamp()).isEqualTo(Instant.ofEpochMilli(1706540400000L));
    assertThat(line.event().metadata()).containsEntry("project", "/home/user/my-app");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"sessionId\":\"s\",\"timestampMs\":\"1706540400000\",\"eventType\":\"ToolResult\"",
        "\"SessionId\":\"s\",\"Timestamp\":1706540400000,\"EventType\":\"toolResult\"",
        "\"session-id\":\"s\",\"TIMESTAMP\":\"1706540400000\",\"event_type\":\"tool-result\"",
        "\"session_id\":\"s\",\"timestamp\":\"2024-01-29T15:00:00Z\",\"Role\":\"Tool\"",
        "\"session_id\":\"s\",\"timestamp\":\"2024-01-29T15:00:00.000Z\",\"role\":"
            + "\"EVENT_ROLE_TOOL\",\"event_type\":null",
      })
  void parse_otherSpellings_meanTheSame(String fields) {
    EventLine line = EventLine.parse("{" + fields + ",\"Text\":\"ok\",\"toolName\":\"Bash\"}");

    assertThat(line.unknown()).isEmpty();
    assertThat(line.event().session()).isEqualTo(new SessionId("s"));
    assertThat(line.event().timestamp()).isEqualTo(Instant.parse("2024-01-29T15:00:00Z"));
    assertThat(line.event().type()).isEqualTo(EventType.TOOL_RESULT);
    assertThat(line.event().role()).isEqualTo(EventRole.TOOL);
    assertThat(line.event().metadata()).isEqualTo(Map.of("tool", "Bash"));
  }

  @Test
  void parse_toolNameAndMetadata_metadataHasTheLastWord() {
    EventLine line =
        EventLine.parse(
            "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"tool_name\":\"Read\","
                + "\"metadata\":{\"tool\":\"Bash\"}}");

    assertThat(line.event().metadata()).isEqualTo(Map.of("tool", "Bash"));
  }

  @Test
  void parse_fieldsThatNoEventHas_areNamedAsTheyAreSpelled() {
    EventLine line =
        EventLine.parse(
            "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"Model\":null,"
                + "\"sessions\":{\"text\":[1]}}");

    assertThat(line.unknown()).containsExactly("Model", "sessions");
    assertThat(line.event().text()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nonsense | is not JSON: Unrecognized token 'nonsense'",
        "[1] | is not a JSON object; expected {\"session_id\": ...}",
        "{\"a\":1} {} | is not JSON",
        "{\"session_id\":\"s\",\"session_id\":\"t\"} | is not JSON: Duplicate field 'session_id'",
        "{\"timestamp_ms\":1} | session_id: is missing",
        "{\"session_id\":7} | session_id: is a number; expected text",
        "{\"session_id\":\"s\",\"sessionId\":\"t\"} | session_id: occurs twice, once as sessionId",
        "{\"session_id\":\"s\"} | timestamp_ms: is missing",
        "{\"session_id\":\"s\",\"timestamp_ms\":-1} | timestamp_ms: is -1",
        "{\"session_id\":\"s\",\"timestamp_ms\":\"1x\"} | timestamp_ms: is 1x",
        "{\"session_id\":\"s\",\"timestamp_ms\":true} | timestamp_ms: is a boolean",
        "{\"session_id\":\"s\",\"timestamp\":1706540400} | timestamp: is 1706540400, which looks"
            + " like seconds; expected milliseconds since 1970",
        "{\"session_id\":\"s\",\"timestamp\":99999999} | timestamp: is 99999999, which is before",
        "{\"session_id\":\"s\",\"timestamp\":100000000} | timestamp: is 100000000, which looks",
        "{\"session_id\":\"s\",\"timestamp\":9999999999} | timestamp: is 9999999999, which looks",
        "{\"session_id\":\"s\",\"timestamp\":10000000000} | timestamp: is 10000000000, which is",
        "{\"session_id\":\"s\",\"timestamp\":1706540400.5} | timestamp: is 1706540400.5; expected",
        "{\"session_id\":\"s\",\"timestamp\":-1} | timestamp: is -1; expected a time since 1970",
        "{\"session_id\":\"s\",\"timestamp\":{}} | timestamp: is an object; expected",
        "{\"session_id\":\"s\",\"timestamp\":1706540400000,\"timestamp_ms\":1} | timestamp: differs"
            + " from timestamp_ms",
        "{\"session_id\":\"s\",\"timestamp_ms\":1.5} | timestamp_ms: is 1.5",
        "{\"session_id\":\"s\",\"timestamp\":\"yesterday\"} | timestamp: is yesterday",
        "{\"session_id\":\"s\",\"timestamp\":\"1969-12-31T00:00:00Z\"} | timestamp: is 1969",
        "{\"session_id\":\"s\",\"timestamp_ms\":1} | text: is empty",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"\\ud83d\"} | text: holds half",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"event_type\":\"chat\"} | event_type: is chat;"
            + " expected one of session_start, user_message",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"metadata\":[]} | metadata: is an"
            + " array",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"metadata\":{\"a\":{}}} |"
            + " metadata.a: is an object",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"event_id\":\"7\"} | event_id:"
            + " is",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"position\":0} | position: is 0;",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"position\":1.5} | position: is 1.5",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"position\":\"1\"} | position: is text",
        "{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\",\"position\":10000000000} | position: is",
      })
  void parse_badLine_saysWhatIsWrong(String line, String message) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> EventLine.parse(line))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD))
        .withMessageStartingWith(message);
  }

  private static Event parseWith(String fields) {
    return EventLine.parse("{\"session_id\":\"s\",\"text\":\"x\"," + fields + "}").event();
  }
}
