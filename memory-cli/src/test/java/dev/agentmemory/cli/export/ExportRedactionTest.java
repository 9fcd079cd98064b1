package dev.agentmemory.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left of lines that are given away.
class ExportRedactionTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ULID = "01KG7Z5P0X0000000000000001";

  private final ExportRedaction redaction =
      new ExportRedaction("one".getBytes(StandardCharsets.UTF_8));

  private JsonNode redacted(String line) throws JsonProcessingException {
    return JSON.readTree(redaction.apply(line));
  }

  private JsonNode redacted(String field, String value) throws JsonProcessingException {
    return redacted(JSON.createObjectNode().put(field, value).toString()).path(field);
  }

  @Test
  void text_isItsLengthAndAHash_equalForEqualTexts() throws JsonProcessingException {
    JsonNode line = redacted("{\"text\":\"né 👋\",\"title\":\"né 👋\",\"excerpt\":\"nee\"}");

    assertThat(line.path("text").path("redacted").asBoolean()).isTrue();
    assertThat(line.path("text").path("chars").asInt()).isEqualTo(4);
    assertThat(line.path("text").path("hash").asText()).matches("[0-9a-f]{24}");
    assertThat(line.path("title")).isEqualTo(line.path("text"));
    assertThat(line.path("excerpt").path("hash")).isNotEqualTo(line.path("text").path("hash"));
  }

  @Test
  void hash_dependsOnTheKey() throws JsonProcessingException {
    String line = "{\"text\":\"the same\",\"event_id\":\"" + ULID + "\"}";
    JsonNode first = JSON.readTree(ExportRedaction.withNewKey().apply(line));
    JsonNode second = JSON.readTree(ExportRedaction.withNewKey().apply(line));

    assertThat(first.path("text").path("hash")).isNotEqualTo(second.path("text").path("hash"));
    assertThat(first.path("event_id")).isNotEqualTo(second.path("event_id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "session_id",
        "session",
        "agent",
        "user",
        "channel",
        "name",
        "tags",
        "keywords",
        "ref_code",
        "key",
        "value",
        "text",
        "from",
        "aFieldOfALaterVersion"
      })
  void wordOfThisProgram_inAFieldOfOthers_isReplaced(String field) throws JsonProcessingException {
    assertThat(redacted(field, "user").path("redacted").asBoolean()).isTrue();
    assertThat(redacted(field, ULID).path("redacted").asBoolean()).isTrue();
    assertThat(redacted(field, "toc:day:2026-01-30").path("redacted").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kind", "role", "source", "reason", "state", "summarizer", "status"})
  void constant_stays_anythingElseInItsFieldDoesNot(String field) throws JsonProcessingException {
    assertThat(redacted(field, "user").asText()).isEqualTo("user");
    assertThat(redacted(field, "our neighbour").path("redacted").asBoolean()).isTrue();
  }

  @Test
  void numbersFlagsAndEmptyTexts_stay() throws JsonProcessingException {
    String line =
        "{\"kind\":\"event\",\"timestamp_ms\":1769783400000,\"importance\":0.5,\"pinned\":true,"
            + "\"agent\":null,\"text\":\"\",\"tags\":[]}";

    assertThat(redacted(line)).isEqualTo(JSON.readTree(line));
  }

  /// Many ids are hashes of what was said, without a key.
  @Test
  void ids_areReplacedByOthersOfTheirForm_andStillConnectLines() throws JsonProcessingException {
    JsonNode line =
        redacted(
            "{\"event_id\":\"%1$s\",\"segment_id\":\"seg:%1$s\",".formatted(ULID)
                + "\"node_id\":\"toc:segment:2026-01-30:%1$s\",\"event_ids\":[\"%1$s\"],"
                    .formatted(ULID)
                + "\"grip_id\":\"grip:1769783400000:%1$s@team\",\"child_ids\":[\"toc:week:2026:W05\"]}"
                    .formatted(ULID));

    String id = line.path("event_id").asText();
    assertThat(id).matches("[0-7][0-9A-HJKMNP-TV-Z]{25}").isNotEqualTo(ULID);
    assertThat(line.path("segment_id").asText()).isEqualTo("seg:" + id);
    assertThat(line.path("node_id").asText()).isEqualTo("toc:segment:2026-01-30:" + id);
    assertThat(line.path("event_ids").get(0).asText()).isEqualTo(id);
    assertThat(line.path("grip_id").asText())
        .startsWith("grip:1769783400000:" + id + "@")
        .doesNotContain("team");
    assertThat(line.path("child_ids").get(0).asText()).isEqualTo("toc:week:2026:W05");
    assertThat(redacted("event_id", "no id").path("redacted").asBoolean()).isTrue();
  }

  @Test
  void keysThatOthersChose_areReplaced_thoseOfOurAdaptersStay() throws JsonProcessingException {
    JsonNode metadata =
        redacted("{\"metadata\":{\"tool\":\"Bash\",\"kind\":\"user\",\"divorce\":\"yes\"}}")
            .path("metadata");

    assertThat(metadata.path("tool").path("redacted").asBoolean()).isTrue();
    assertThat(metadata.path("kind").path("redacted").asBoolean()).isTrue();
    assertThat(metadata).hasSize(3);
    assertThat(metadata.toString()).doesNotContain("divorce", "Bash", "yes").contains("redacted-");
  }

  @Test
  void structuredContent_isOneText_andNoChecksumIsLeft() throws JsonProcessingException {
    JsonNode entry =
        redacted(
                "{\"entry\":{\"json\":{\"rationale\":[\"rent\",{\"a\":1}]},"
                    + "\"checksum\":\"sha256:00\",\"kind\":\"decision\"}}")
            .path("entry");

    assertThat(entry.path("json").path("redacted").asBoolean()).isTrue();
    assertThat(entry.path("kind").asText()).isEqualTo("decision");
    assertThat(entry.has("checksum")).isFalse();
    assertThat(entry.toString()).doesNotContain("rationale", "rent");
  }
}
