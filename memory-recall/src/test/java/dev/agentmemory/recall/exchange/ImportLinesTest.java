package dev.agentmemory.recall.exchange;

import static dev.agentmemory.recall.exchange.ExchangeWorld.ID;
import static dev.agentmemory.recall.exchange.ExchangeWorld.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.RecordJson;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which lines an import takes, and why it skips one that is wrong.
class ImportLinesTest {

  private final ExchangeWorld world = new ExchangeWorld();

  private MemoryRecord remember(String text) {
    return world.memories.remember(MemoryDraft.of(text));
  }

  @Test
  void line_withoutChecksum_isImportedAndGetsOne() {
    assertThat(world.load(plain())).isEqualTo(new ImportReport(1, 0, 0, List.of()));
    MemoryRecord memory = world.memories.get(ID);

    assertThat(memory.content().text()).isEqualTo("The port is 8080");
    assertThat(memory.checksum()).startsWith("sha256:");
    assertThat(world.load(plain())).isEqualTo(new ImportReport(0, 1, 0, List.of()));
  }

  @Test
  void line_withoutRecord_isAMemory() {
    assertThat(world.load(plain("'record':'memory',", "")).imported()).isEqualTo(1);
  }

  @Test
  void line_changedWithItsChecksum_isSkipped_andTakenWithoutIt() {
    MemoryRecord memory = remember("The port is 8080");
    String changed = world.line(memory.id()).replace("8080", "8081");
    var other = new ExchangeWorld(2);

    assertThat(other.load(changed).reasons())
        .containsExactly(
            "line 1: checksum does not match the other fields; if you changed the line, remove the"
                + " field `checksum`");
    String without = changed.replaceAll(",\"checksum\":\"[^\"]*\"", "");
    assertThat(other.load(without).imported()).isEqualTo(1);
    assertThat(other.memories.get(memory.id()).content().text()).contains("8081");
  }

  @Test
  void line_writtenByAnotherTool_keepsItsChecksum() {
    MemoryRecord memory = remember("The port is 8080");
    ObjectNode parsed = RecordJson.parse(world.line(memory.id()));
    ObjectNode reversed = RecordJson.object();
    List<String> names = parsed.properties().stream().map(Map.Entry::getKey).toList();
    names.reversed().forEach(name -> reversed.set(name, parsed.get(name)));
    String pretty = reversed.toPrettyString().replace("\n", " ");

    assertThat(new ExchangeWorld(2).load(pretty).imported()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'kind':'finding' | 'kind':'rumour' | kind has an unknown value; expected observation",
        "'scope':'workspace' | 'scope':'planet' | scope has an unknown value; expected conversation",
        "'lifetime':'short_term' | 'lifetime':'ever' | lifetime has an unknown value; expected conversation",
        "'lifetime':'short_term' | 'lifetime':'conversation' | lifetime: is conversation",
        "'scope':'workspace' | 'scope':'channel' | channel: is missing",
        "'scope':'workspace' | 'scope':'conversation' | session: is missing",
        "'source':'user' | 'source':'' | source: has to be",
        "'importance':0.5 | 'importance':1.5 | importance: is 1.5",
        "'importance':0.5 | 'importance':1e999 | a number is larger than a double can be",
        "'importance':0.5 | 'importance':'high' | field importance is no number",
        "'tags':['net'] | 'tags':['a b'] | tags: has a level with a character other than",
        "'tags':['net'] | 'tags':'net' | field tags is no list",
        "'text':'The port is 8080' | 'text':' ' | content: is empty",
        "'text':'The port is 8080' | 'txt':'x' | field text is missing",
        "'text':'The port is 8080' | 'text':'\\ud800' | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'\\uD83D\\u0041' | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'\\uD8' | is not one JSON object",
        "'text':'The port is 8080' | 'text':'x','json':{'a':'\\udc00'} | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'x','session':'\\udc00' | surrogate",
        "'text':'The port is 8080' | 'text':'x','text':'y' | repeats a name",
        "'id':'01KG7Z5P0X0000000000000001' | 'id':'mem_1' | id: is not a ULID",
        "'id':'01KG7Z5P0X0000000000000001' | 'id':'01KG7Z5P0X0000000000000001@x' | names a workspace",
        "'references':[] | 'references':['x'] | references: is not a ULID",
        "'evidence_events':[] | 'evidence_events':['x'] | evidence_events: is not a ULID",
        "'evidence_grips':[] | 'evidence_grips':['x'] | evidence_grips: has an entry",
        "'source':'user' | 'source':'user','channel':'a/b' | channel: is not a channel name",
        "'source':'user' | 'source':'user','session':'' | session: is empty",
        "'source':'user' | 'source':'user','superseded_by':'x' | superseded_by: is not a ULID",
        "'created_ms':1769783400000 | 'created_ms':-1 | created_ms: is before 1970",
        "'created_ms':1769783400000 | 'created_ms':1769783700001 | created_ms: is 2026-01-30T14:35:00.001Z, more than 300 s",
        "'updated_ms':1769783400000 | 'updated_ms':1769783700001 | updated_ms: is",
        "'valid_from_ms':1769783400000 | 'valid_from_ms':-1 | valid_from_ms: is before 1970",
        "'valid_from_ms':1769783400000 | 'valid_from_ms':1769783700001 | valid_from_ms: is",
        "'pinned':false | 'pinned':false,'superseded_at_ms':1769783700001,'superseded_by':'01KG7Z5P0X0000000000000002' | superseded_at_ms: is",
        "'pinned':false | 'pinned':false,'last_access_ms':1769783700001,'access_count':1 | last_access_ms: is",
        "'pinned':false | 'pinned':false,'access_count':-1 | access_count: is below 0",
        "'schema_version':1 | 'schema_version':0 | schema_version is 0; expected 1 to 1",
        "'schema_version':1 | 'schema_version':2 | this program reads up to 1; import it with the version that wrote it",
        "'schema_version':1, | `` | field schema_version is missing",
        "'record':'memory' | 'record':'event' | record has an unknown value; expected memory",
        "'record':'memory' | 'record':'memory','redacted':true | is redacted",
        "'record':'memory' | 'record':'memory','workspace':'beta' | is of another workspace; import it there",
      })
  void line_thatIsWrong_isSkippedAndSaysWhy(String from, String to, String reason) {
    world.assertSkipped(plain(from, to == null ? "" : to), reason);
  }

  @Test
  void reason_forAWrongValue_doesNotRepeatIt() {
    String secret = "HIDDEN/VALUE";
    for (String field :
        List.of("'channel':'%s'", "'superseded_by':'%s'", "'session':'%s\\u0000'")) {
      ImportReport report =
          world.load(plain("'source':'user'", "'source':'user'," + field.formatted(secret)));
      assertThat(report.reasons()).hasSize(1).noneMatch(reason -> reason.contains(secret));
    }
    for (String field : List.of("record", "scope", "kind", "lifetime")) {
      String wrong = plain().replaceFirst("(\"" + field + "\":\")[^\"]*", "$1" + secret);
      assertThat(world.load(wrong).reasons())
          .hasSize(1)
          .allMatch(reason -> reason.contains(field + " has an unknown value"))
          .noneMatch(reason -> reason.contains(secret));
    }
    assertThat(world.load(plain("'source':'user'", "'source':'user','workspace':'" + secret + "'")))
        .extracting(report -> report.reasons().toString())
        .asString()
        .contains("another workspace")
        .doesNotContain(secret);
    for (String field : List.of("references", "evidence_events", "evidence_grips", "tags")) {
      String wrong =
          plain()
              .replaceFirst(
                  "\"" + field + "\":\\[[^]]*]", "\"%s\":[\"%s\"]".formatted(field, secret));
      assertThat(world.load(wrong).reasons())
          .hasSize(1)
          .allMatch(reason -> reason.contains(field + ": "))
          .noneMatch(reason -> reason.contains(secret));
    }
  }

  @Test
  void tags_withCapitals_areStoredInLowerCase_andKnownTheNextTime() {
    String line = plain("'tags':['net']", "'tags':['Net','NET.Ports ']");
    assertThat(world.load(line).imported()).isEqualTo(1);
    assertThat(world.load(line).known()).isEqualTo(1);
    assertThat(world.export()).anyMatch(exported -> exported.contains("[\"net\",\"net.ports\"]"));
  }

  @Test
  void line_thatIsNoObject_isSkipped() {
    world.assertSkipped("nonsense", "is not one JSON object");
    world.assertSkipped("[1]", "is not one JSON object");
    world.assertSkipped(plain() + " {}", "is not one JSON object");
    world.assertSkipped("[".repeat(5000), "is not one JSON object");
  }

  /// What a power failure leaves of a file.
  @Test
  void file_cutInTheMiddleOfItsLastLine_losesThatLineOnly() {
    MemoryRecord first = remember("a");
    remember("b");
    List<String> lines = world.export();
    String last = lines.getLast();
    var other = new ExchangeWorld(2);
    ImportReport report =
        other.exchange.importLines(
            10, List.of(lines.get(0), lines.get(1), last.substring(0, last.length() / 2)));

    assertThat(report.reasons()).hasSize(1).allMatch(reason -> reason.startsWith("line 12: "));
    assertThat(other.workspace.get(first.id()).content().text()).isEqualTo("a");
  }

  @Test
  void file_withByteOrderMarkCarriageReturnsAndBlankLines_isTaken() {
    ImportReport report =
        world.load(
            "\uFEFF" + plain() + "\r", "", "  \r", "\uFEFF", plain("0000001", "0000002") + "\r");

    assertThat(report).isEqualTo(new ImportReport(2, 0, 0, List.of()));
  }

  @Test
  void content_ofOneMebibyte_isTaken_andOneByteMoreIsNot() {
    String largest = "\u00e4".repeat(MemoryContent.MAX_BYTES / 2);
    assertThat(world.load(plain("The port is 8080", largest)).imported()).isEqualTo(1);
    assertThat(world.export()).anyMatch(line -> line.contains(largest));

    world.assertSkipped(
        plain("'text':'The port is 8080'", "'text':'" + largest + "x'").replace("0001", "0002"),
        "has 1048577 bytes of UTF-8; expected at most 1048576");
  }

  @Test
  void reasons_areThoseOfTheFirstLines() {
    List<String> wrong = IntStream.range(0, 150).mapToObj(i -> "nonsense " + i).toList();
    ImportReport report = world.exchange.importLines(1000, wrong);

    assertThat(report.skipped()).isEqualTo(150);
    assertThat(report.reasons()).hasSize(ImportReport.SHOWN);
    assertThat(report.reasons().getLast()).startsWith("line 1099: ");
  }

  @Test
  void call_ofMoreThan1000Lines_isRefused() {
    List<String> lines = IntStream.range(0, 1001).mapToObj(i -> "").toList();
    assertThatThrownBy(() -> world.exchange.importLines(1, lines))
        .hasMessageContaining("lines: are 1001; send at most 1000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "channel | \"name\":\"a/b\",\"is_default\":false,\"created_ms\":1 | name: is not a channel name",
        "channel | \"name\":\"..\",\"is_default\":false,\"created_ms\":1 | not a channel name",
        "channel | \"is_default\":false,\"created_ms\":1 | field name is missing",
        "scratchpad | \"session_id\":\"\",\"key\":\"k\",\"value\":\"1\",\"created_ms\":1,\"updated_ms\":1 | session_id: is empty",
        "scratchpad | \"session_id\":\"s\",\"key\":\"k\",\"value\":\"{\",\"created_ms\":1,\"updated_ms\":1 | value",
        "scratchpad | \"session_id\":\"s\",\"key\":\"\",\"value\":\"1\",\"created_ms\":1,\"updated_ms\":1 | key: has to be",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"x\" | not a ref code",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"gone\" | status: has an unknown value; expected active",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"idle\",\"started_ms\":1,\"overrides\":{\"floor\":2} | overrides.floor",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"idle\",\"started_ms\":1,\"preferences\":1 | preferences: is not an object",
        "tombstone | \"id\":\"x\" | id: is not a ULID",
        "merge | \"id\":\"01KG7Z5P0X0000000000000001\" | field into is missing",
        "state | \"number\":1,\"memory\":1 | memory is not an object",
      })
  void otherLine_thatIsWrong_isSkippedAndSaysWhy(String record, String fields, String reason) {
    world.assertSkipped(
        "{\"record\":\"%s\",\"schema_version\":1,%s}".formatted(record, fields), reason);
    world.assertSkipped(
        "{\"record\":\"%s\",\"schema_version\":9,%s}".formatted(record, fields),
        "schema_version is 9");
  }

  @Test
  void earlierVersions_areVerifiedAsTheyAreAndMigrated() {
    UnaryOperator<ObjectNode> renamed =
        object -> object.put("text", object.get("text").asText() + ", as of version 2");
    UnaryOperator<ObjectNode> described =
        object -> object.put("description", object.get("about").asText());
    var later =
        new ExchangeWorld(
            2,
            Map.of(),
            new LineReading(
                new MemoryJson(List.of(renamed)),
                Map.of("channel", List.<UnaryOperator<ObjectNode>>of(described))));
    MemoryRecord memory = remember("The port is 8080");
    ImportReport report =
        later.load(
            world.line(memory.id()),
            "{\"record\":\"channel\",\"schema_version\":1,\"name\":\"ops\",\"about\":\"what runs\","
                + "\"is_default\":false,\"created_ms\":1}",
            world.line(memory.id()).replace("8080", "8081"),
            plain("'schema_version':1", "'schema_version':3"));

    assertThat(later.memories.get(memory.id()).content().text())
        .isEqualTo("The port is 8080, as of version 2");
    assertThat(later.channels.list())
        .anyMatch(channel -> channel.description().equals("what runs"));
    assertThat(report.reasons())
        .satisfiesExactly(
            one -> assertThat(one).contains("line 3: checksum does not match"),
            one ->
                assertThat(one)
                    .contains("line 4: schema_version is 3, and this program reads up to 2"));
    assertThat(report.imported()).isEqualTo(2);
    assertThat(later.memories.get(memory.id()).place()).isEqualTo(MemoryPlace.WORKSPACE);
  }
}
