package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MemoryJsonTest {

  private static final Instant TIME = TestEvents.START;

  private static MemoryId id(long tail) {
    return new MemoryId(TestEvents.id(TIME, tail));
  }

  private static MemoryRecord full() {
    return new MemoryRecord(
        id(1),
        new MemoryPlace(
            MemoryScope.CHANNEL,
            Optional.of(new ChannelName("backend")),
            Optional.of(new SessionId("s/1 \u00e4"))),
        MemoryLifetime.LONG_TERM,
        MemoryKind.DECISION,
        "researcher",
        new MemoryContent("Use \"Kafka\"\n\u20ac \ud83d\ude00", Optional.of("{\"a\":[1.50,null]}")),
        0.25,
        true,
        Set.of(new Tag("a.b"), new Tag("c")),
        new MemoryLinks(
            List.of(id(3), id(2)),
            List.of(TestEvents.id(TIME, 4)),
            List.of(GripId.of(TIME, TestEvents.id(TIME, 5)))),
        new Validity(
            TIME, TIME.plusMillis(1), TIME.minusMillis(1), Optional.of(TIME), Optional.of(id(9))),
        MemoryUse.NEVER,
        EmbeddingState.PENDING,
        "");
  }

  private static void corrupt(String row, String why) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> MemoryJson.CURRENT.read(row, true))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD)
        .withMessageContaining(why);
  }

  @Test
  void row_withEveryField_isReadAsItWas() {
    MemoryRow row = MemoryJson.CURRENT.row(full());

    assertThat(MemoryJson.CURRENT.read(row.text(), true)).isEqualTo(row.memory());
    assertThat(row.memory().withChecksum("")).isEqualTo(full());
    assertThat(row.memory().checksum()).matches("sha256:[0-9a-f]{64}");
    assertThat(row.bytes()).isEqualTo(row.text().getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void row_hasTheFieldsThatAreDocumented() {
    ObjectNode json = RecordJson.parse(MemoryJson.CURRENT.row(full()).text());

    assertThat(json.properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder(
            "schema_version",
            "id",
            "scope",
            "channel",
            "session",
            "lifetime",
            "kind",
            "source",
            "text",
            "json",
            "importance",
            "pinned",
            "tags",
            "references",
            "evidence_events",
            "evidence_grips",
            "created_ms",
            "updated_ms",
            "valid_from_ms",
            "superseded_at_ms",
            "superseded_by",
            "checksum");
    assertThat(json.get("lifetime").textValue()).isEqualTo("long_term");
  }

  @Seeds(20)
  void checksum_doesNotDependOnTheOrderOfFieldsOrTheFormOfNumbers(RandomGenerator random) {
    ObjectNode json = RecordJson.parse(MemoryJson.CURRENT.row(full()).text());
    List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(json.properties());
    Collections.shuffle(fields, new Random(random.nextLong()));
    ObjectNode shuffled = RecordJson.object();
    fields.forEach(field -> shuffled.set(field.getKey(), field.getValue()));
    String row = RecordJson.write(shuffled).replace("0.25", "2.5e-1").replace("1.50", "1.5");

    assertThat(MemoryJson.CURRENT.read(row, true).checksum())
        .isEqualTo(json.get("checksum").textValue());
  }

  @Test
  void checksum_coversEveryFieldButThoseOfUseAndEmbedding() {
    ObjectNode json = RecordJson.parse(MemoryJson.CURRENT.row(full()).text());
    for (String outside : List.of("access_count", "last_access_ms", "embedding")) {
      ObjectNode more = json.deepCopy().put(outside, "7");
      assertThat(MemoryJson.CURRENT.read(RecordJson.write(more), true).id()).isEqualTo(id(1));
    }
    json.properties().stream()
        .map(Map.Entry::getKey)
        .filter(field -> !field.equals("schema_version"))
        .forEach(
            field -> corrupt(RecordJson.write(json.deepCopy().put(field, "other")), "checksum"));
  }

  @Test
  void checksum_switchedOff_isNotCompared() {
    String row = MemoryJson.CURRENT.row(full()).text().replace("\"Kafka\\\"", "\"Redis\\\"");

    corrupt(row, "checksum is sha256:");
    assertThat(MemoryJson.CURRENT.read(row, false).content().text()).startsWith("Use \"Redis\"");
  }

  @Test
  void row_thatIsNoMemory_isCorrupt() {
    corrupt("", "not a JSON object");
    corrupt("[]", "not a JSON object");
    corrupt("{\"schema_version\":1}{}", "not a JSON object");
    corrupt("{\"schema_version\":1,\"schema_version\":1}", "not a JSON object");
    corrupt("{}", "schema_version is missing");
    corrupt("{\"schema_version\":2}", "schema_version is 2; this program reads 1 to 1");
    corrupt("{\"schema_version\":0}", "schema_version is 0");
    corrupt("{\"schema_version\":1}", "checksum is missing");
  }

  @Test
  void row_withAnImpossibleValueAndItsOwnChecksum_isCorrupt() {
    for (String wrong : List.of("kind", "scope", "id", "superseded_by", "channel")) {
      ObjectNode json = RecordJson.parse(MemoryJson.CURRENT.row(full()).text());
      json.put(wrong, "no such");
      json.put("checksum", MemoryJson.checksum(json));
      corrupt(RecordJson.write(json), "");
    }
    ObjectNode json = RecordJson.parse(MemoryJson.CURRENT.row(full()).text());
    json.put("text", " ");
    json.put("checksum", MemoryJson.checksum(json));
    corrupt(RecordJson.write(json), "content: is empty");
  }

  @Test
  void earlierVersion_isVerifiedAsItIsAndThenMigrated() {
    var later =
        new MemoryJson(List.of(json -> json.put("source", json.get("source").textValue() + "!")));
    MemoryRow row = MemoryJson.CURRENT.row(full());

    MemoryRecord migrated = later.read(row.text(), true);
    assertThat(migrated.source()).isEqualTo("researcher!");
    assertThat(later.row(migrated).memory()).isEqualTo(migrated);
    assertThat(later.row(migrated).text()).contains("\"schema_version\":2");
    assertThat(later.read(later.row(migrated).text(), true)).isEqualTo(migrated);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> later.read(row.text().replace("0.25", "0.26"), true));
  }
}
