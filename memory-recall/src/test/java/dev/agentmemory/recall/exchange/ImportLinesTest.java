package dev.agentmemory.recall.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an import takes, and why it skips a line.
class ImportLinesTest {

  private static final SessionId SESSION = new SessionId("s1");

  /// A memory as a person would write it, without a checksum.
  private static final String PLAIN =
      "{'record':'memory','schema_version':1,'id':'01KG7Z5P0X0000000000000001','scope':'workspace',"
          + "'lifetime':'short_term','kind':'finding','source':'user','text':'The port is 8080',"
          + "'importance':0.5,'pinned':false,'tags':['net'],'references':[],'evidence_events':[],"
          + "'evidence_grips':[],'created_ms':1769783400000,'updated_ms':1769783400000,"
          + "'valid_from_ms':1769783400000}";

  private static final MemoryId ID = MemoryId.of("01KG7Z5P0X0000000000000001");

  private final ExchangeWorld world = new ExchangeWorld();

  private static String plain() {
    return PLAIN.replace('\'', '"');
  }

  private static String plain(String from, String to) {
    assertThat(PLAIN).contains(from);
    return PLAIN.replace(from, to).replace('\'', '"');
  }

  private MemoryRecord remember(String text) {
    return world.memories.remember(MemoryDraft.of(text));
  }

  private static String line(ExchangeWorld from, MemoryId id) {
    return from.export().stream()
        .filter(one -> one.contains("\"record\":\"memory\"") && one.contains(id.value()))
        .findFirst()
        .orElseThrow();
  }

  private void assertSkipped(String line, String... parts) {
    var before = world.rows();
    ImportReport report = world.load(line);
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.imported() + report.known()).isZero();
    assertThat(report.reasons().getFirst()).startsWith("line 1: ").contains(parts);
    assertThat(world.rows()).isEqualTo(before);
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
    String changed = line(world, memory.id()).replace("8080", "8081");
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
    ObjectNode parsed = RecordJson.parse(line(world, memory.id()));
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
        "'kind':'finding' | 'kind':'rumour' | kind is 'rumour'; expected observation",
        "'scope':'workspace' | 'scope':'planet' | scope is 'planet'; expected conversation",
        "'lifetime':'short_term' | 'lifetime':'ever' | lifetime is 'ever'; expected conversation",
        "'lifetime':'short_term' | 'lifetime':'conversation' | lifetime: is conversation",
        "'scope':'workspace' | 'scope':'channel' | channel: is missing",
        "'scope':'workspace' | 'scope':'conversation' | session: is missing",
        "'source':'user' | 'source':'' | source: has to be",
        "'importance':0.5 | 'importance':1.5 | importance: is 1.5",
        "'importance':0.5 | 'importance':1e999 | a number is larger than a double can be",
        "'importance':0.5 | 'importance':'high' | field importance is no number",
        "'tags':['net'] | 'tags':['a b'] | character other than",
        "'tags':['net'] | 'tags':'net' | field tags is no list",
        "'text':'The port is 8080' | 'text':' ' | content: is empty",
        "'text':'The port is 8080' | 'txt':'x' | field text is missing",
        "'text':'The port is 8080' | 'text':'\\ud800' | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'\\uD83D\\u0041' | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'\\uD8' | is not one JSON object",
        "'text':'The port is 8080' | 'text':'x','json':{'a':'\\udc00'} | half a surrogate pair",
        "'text':'The port is 8080' | 'text':'x','session':'\\udc00' | surrogate",
        "'text':'The port is 8080' | 'text':'x','text':'y' | repeats a name",
        "'id':'01KG7Z5P0X0000000000000001' | 'id':'mem_1' | not a ULID",
        "'id':'01KG7Z5P0X0000000000000001' | 'id':'01KG7Z5P0X0000000000000001@x' | names a workspace",
        "'references':[] | 'references':['x'] | not a ULID",
        "'created_ms':1769783400000 | 'created_ms':-1 | created_ms: is before 1970",
        "'created_ms':1769783400000 | 'created_ms':1769783700001 | created_ms: is 2026-01-30T14:35:00.001Z, more than 300 s",
        "'updated_ms':1769783400000 | 'updated_ms':1769783700001 | updated_ms: is",
        "'pinned':false | 'pinned':false,'last_access_ms':1769783700001,'access_count':1 | last_access_ms: is",
        "'pinned':false | 'pinned':false,'access_count':-1 | access count below 0",
        "'schema_version':1 | 'schema_version':0 | schema_version is 0; expected 1 to 1",
        "'schema_version':1 | 'schema_version':2 | this program reads up to 1; import it with the version that wrote it",
        "'schema_version':1, | `` | field schema_version is missing",
        "'record':'memory' | 'record':'event' | record is 'event'; expected memory",
        "'record':'memory' | 'record':'memory','redacted':true | is redacted",
        "'record':'memory' | 'record':'memory','workspace':'beta' | is of workspace beta",
      })
  void line_thatIsWrong_isSkippedAndSaysWhy(String from, String to, String reason) {
    assertSkipped(plain(from, to == null ? "" : to), reason);
  }

  @Test
  void line_thatIsNoObject_isSkipped() {
    assertSkipped("nonsense", "is not one JSON object");
    assertSkipped("[1]", "is not one JSON object");
    assertSkipped(plain() + " {}", "is not one JSON object");
    assertSkipped("[".repeat(5000), "is not one JSON object");
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

    assertSkipped(
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

  @Test
  void secrets_areMaskedWhereverTheyAre() {
    String secret = ExchangeWorld.SECRET;
    assertThat(
            world
                .load(
                    plain("'text':'The port is 8080'", "'text':'hunter2','json':{'k':['hunter2']}")
                        .replace("\"user\"", "\"by hunter2\"")
                        .replace("\"net\"", "\"hunter2\""),
                    "{\"record\":\"scratchpad\",\"schema_version\":1,\"session_id\":\"s1\",\"key\":\"k\","
                        + "\"value\":\"\\\"hunter2\\\"\",\"created_ms\":1,\"updated_ms\":1}",
                    "{\"record\":\"channel\",\"schema_version\":1,\"name\":\"ops\",\"description\":\"hunter2\","
                        + "\"is_default\":false,\"created_ms\":1}",
                    "{\"record\":\"conversation\",\"schema_version\":1,\"session_id\":\"s1\","
                        + "\"ref_code\":\"0123456789a\",\"channel\":\"ops\",\"status\":\"idle\","
                        + "\"started_ms\":1,\"ended_ms\":2,\"agent\":\"hunter2\",\"user\":\"hunter2\","
                        + "\"preferences\":{\"custom\":{\"a\":\"hunter2\"}}}",
                    "{\"record\":\"tombstone\",\"schema_version\":1,\"id\":\"01KG7Z5P0X0000000000000009\","
                        + "\"deleted_ms\":1,\"reason\":\"hunter2\"}")
                .reasons())
        .isEmpty();

    assertThat(world.rows()).isNotEmpty().noneMatch(row -> row.toString().contains(secret));
    assertThat(world.export()).noneMatch(line -> line.contains(secret));
    assertThat(world.memories.get(ID).content().text()).isEqualTo("[masked]");
  }

  @Test
  void maskedLine_importedAgain_isKnown() {
    String line = plain("The port is 8080", "It is hunter2");
    world.load(line);
    assertThat(world.load(line).known()).isEqualTo(1);
  }

  @Test
  void deletedMemory_doesNotComeBack_byIdOrText() {
    MemoryRecord memory = remember("The port is 8080");
    List<String> lines = world.export();
    String line = line(world, memory.id());
    world.memories.delete(Deletion.of(memory.id()), false);

    assertThat(world.load(lines, 1000).reasons())
        .containsExactly(
            "line 2: memory %s was deleted, and does not come back; remember it anew"
                .formatted(memory.id()));
    assertSkipped(plain(), "what memory %s says was deleted here".formatted(ID));
    assertThat(line).contains("8080");
  }

  @Test
  void tombstones_travel_andKeepTheirMemoriesAway() {
    MemoryRecord memory = remember("The port is 8080");
    String line = line(world, memory.id());
    world.memories.delete(Deletion.of(memory.id()).because("wrong"), false);
    var other = new ExchangeWorld(2);
    assertThat(other.load(world.export(), 1000).reasons()).isEmpty();

    assertThat(other.load(line).reasons().getFirst()).contains("was deleted");
  }

  @Test
  void tombstone_ofAMemoryThatIsHere_deletesNothing() {
    MemoryRecord memory = remember("a");
    assertSkipped(
        "{\"record\":\"tombstone\",\"schema_version\":1,\"id\":\"%s\",\"deleted_ms\":1,\"reason\":\"\"}"
            .formatted(memory.id()),
        "is stored here; delete it");
  }

  @Test
  void droppedMemory_staysAway_andItsTombstoneDoesNotTravel() {
    MemoryRecord memory = remember("a");
    String line = line(world, memory.id());
    world.workspace.commit(new MemoryBatch().drop(memory.id(), world.now, "prune"));

    assertSkipped(line, "was dropped by upkeep here; `memory consolidation undo` restores it");
    assertThat(world.export()).noneMatch(one -> one.contains("tombstone"));
  }

  @Test
  void mergedMemory_isNotStoredBesideItsSurvivor() {
    MemoryRecord one = remember("a");
    MemoryRecord into = remember("b");
    String line = line(world, one.id());
    world.workspace.commit(new MemoryBatch().merge(one, into.id()));

    assertSkipped(line, "was merged into another one here");
    String merge = "{\"record\":\"merge\",\"schema_version\":1,\"id\":\"%s\",\"into\":\"%s\"}";
    assertThat(world.load(merge.formatted(one.id(), into.id())).known()).isEqualTo(1);
    assertSkipped(merge.formatted(one.id(), ID), "was merged into another one here");
    assertSkipped(merge.formatted(into.id(), ID), "is stored here, and not merged");
    assertSkipped(merge.formatted(ID, ID), "into is the same as id");
  }

  @Test
  void mergedId_fromAnotherStore_leadsToItsSurvivor() {
    MemoryRecord into = remember("b");
    world.load(
        "{\"record\":\"merge\",\"schema_version\":1,\"id\":\"%s\",\"into\":\"%s\"}"
            .formatted(ID, into.id()));

    assertThat(world.memories.get(ID).id()).isEqualTo(into.id());
  }

  @Test
  void otherContent_ofTheSameTime_isSkipped_ofALaterOneReplaces() {
    world.load(plain());
    world.now = world.now.plusSeconds(60);
    assertSkipped(plain("8080", "8081"), "is stored here with other content", "updated_ms");

    String later =
        plain("8080", "8081")
            .replace("\"updated_ms\":1769783400000", "\"updated_ms\":1769783400001");
    assertThat(world.load(later).imported()).isEqualTo(1);
    assertThat(world.memories.get(ID).content().text()).isEqualTo("The port is 8081");
    assertThat(world.memories.history(ID))
        .satisfiesExactly(state -> {
          assertThat(state.memory().content().text()).isEqualTo("The port is 8080");
          assertThat(state.until()).isEqualTo(world.now);
          assertThat(state.reason()).isEqualTo("import");
        });
    assertThat(world.load(plain(), later).known()).isEqualTo(2);
  }

  @Test
  void laterStateOfAnotherStore_bringsItsHistory() {
    MemoryRecord memory = remember("one");
    var other = new ExchangeWorld(2);
    other.load(world.export(), 1000);
    world.now = world.now.plusSeconds(60);
    other.now = world.now;
    world.memories.update(memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("two")));
    world.now = world.now.plusSeconds(60);
    other.now = world.now;
    world.memories.update(memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("three")));
    assertThat(other.load(world.export(), 1000).reasons()).isEmpty();

    assertThat(other.memories.get(memory.id()).content().text()).isEqualTo("three");
    assertThat(
            other.memories.history(memory.id()).stream()
                .map(state -> state.memory().content().text()))
        .containsExactly("two", "one");
  }

  @Test
  void whatUpkeepChangedHere_staysAndIsKnown() {
    MemoryRecord memory = remember("a");
    String line = line(world, memory.id());
    world.memories.pin(memory.id(), true);
    world.memories.get(memory.id());

    assertThat(world.load(line).known()).isEqualTo(1);
    assertThat(world.workspace.get(memory.id()).pinned()).isTrue();
    assertThat(world.workspace.get(memory.id()).use().count()).isEqualTo(1);
  }

  @Test
  void sameId_twiceInACall_isKnownOrSkipped() {
    ImportReport report = world.load(plain(), plain(), plain("8080", "8081"));

    assertThat(report.imported()).isEqualTo(1);
    assertThat(report.known()).isEqualTo(1);
    assertThat(report.reasons()).hasSize(1).allMatch(one -> one.contains("comes twice"));
  }

  @Test
  void references_acrossCallsAndInCircles_areKept() {
    String first = plain("'references':[]", "'references':['01KG7Z5P0X0000000000000002']");
    String second =
        plain("'references':[]", "'references':['01KG7Z5P0X0000000000000001']")
            .replace(
                "\"id\":\"01KG7Z5P0X0000000000000001\"", "\"id\":\"01KG7Z5P0X0000000000000002\"")
            .replace("8080", "8081");
    assertThat(world.load(List.of(first, second), 1).reasons()).isEmpty();

    assertThat(world.memories.related(ID, 8)).hasSize(1);
    assertThat(world.memories.get(ID).links().references()).hasSize(1);
  }

  @Test
  void reference_toNothing_isKept_andLeadsNowhere() {
    String line = plain("'references':[]", "'references':['01KG7Z5P0X0000000000000002']");
    assertThat(world.load(line).imported()).isEqualTo(1);

    assertThat(world.memories.related(ID, 1)).isEmpty();
    assertThat(world.load(line).known()).isEqualTo(1);
  }

  @Test
  void accountMemory_namingTheWorkspace_isSkipped() {
    MemoryRecord ofWorkspace = remember("a");
    String account = plain("'scope':'workspace'", "'scope':'account'");
    assertSkipped(
        account.replace("\"references\":[]", "\"references\":[\"" + ofWorkspace.id() + "\"]"),
        "references: names " + ofWorkspace.id() + ", a memory of the workspace");
    assertSkipped(
        account.replace("\"evidence_events\":[]", "\"evidence_events\":[\"" + ID + "\"]"),
        "evidence_events: is not possible with scope account");
    assertSkipped(account.replace("\"text\"", "\"session\":\"s1\",\"text\""), "session");

    assertThat(world.load(account).imported()).isEqualTo(1);
    assertThat(world.account.has(ID)).isTrue();
    assertThat(world.workspace.has(ID)).isFalse();
  }

  @Test
  void quota_ofASession_skipsWhatDoesNotFit() {
    world.budget = new ByteQuota(700, _ -> 0);
    String line = plain("'text':'The port", "'session':'s1','text':'The port");
    ImportReport report =
        world.load(
            line,
            line.replace("0001\"", "0002\"").replace("8080", "8081"),
            line.replace("0001\"", "0003\""));

    assertThat(report.imported()).isEqualTo(1);
    assertThat(report.reasons())
        .hasSize(2)
        .allMatch(reason -> reason.contains("session s1 uses") && reason.contains("of 700 bytes"));
    assertThat(world.workspace.bytes(SESSION)).isBetween(1L, 700L);
  }

  @Test
  void session_nearItsQuota_isCompactedBefore() {
    String line = plain("'text':'The port", "'session':'s1','text':'The port");
    var asked = new AtomicInteger();
    world.compaction = (session, bytes, added) -> asked.incrementAndGet();
    world.load(line, line.replace("0001\"", "0002\""));
    assertThat(asked).hasValue(1);
    world.load(line);
    assertThat(asked).hasValue(1);
  }

  @Test
  void cap_ofAScope_skipsWhatHasNoPlace() {
    var small = new ExchangeWorld(1, Map.of("recall.scope_cap", "1"), LineReading.CURRENT);
    String preference = plain("'kind':'finding'", "'kind':'preference'");
    ImportReport report = small.load(preference, preference.replace("0001\"", "0002\""));

    assertThat(report.imported()).isEqualTo(1);
    assertThat(report.reasons().getFirst())
        .startsWith("line 2: ")
        .contains("recall.scope_cap is 1");
  }

  @Test
  void commitThatFails_endsTheImport_andStoresNothing() {
    world.store.refuseCommits("the disk has failed");
    assertThatThrownBy(() -> world.load(plain()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
    world.store.takeCommits();

    assertThat(world.workspace.has(ID)).isFalse();
    assertThat(world.load(plain()).imported()).isEqualTo(1);
  }

  @Test
  void formerState_withoutItsMemory_isSkipped() {
    MemoryRecord memory = remember("one");
    world.now = world.now.plusSeconds(60);
    world.memories.update(memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("two")));
    String state =
        world.export().stream().filter(one -> one.contains("\"state\"")).findFirst().orElseThrow();
    var other = new ExchangeWorld(2);
    other.now = world.now;
    assertThat(other.load(state).reasons().getFirst())
        .contains(
            "is a former state of memory %s, which is not stored here".formatted(memory.id()));
    assertThat(world.load(state).known()).isEqualTo(1);
    assertSkipped(state.replace("\"number\":1", "\"number\":0"), "number is 0");
    assertSkipped(state.replace("\"one\"", "\"1\""), "checksum does not match");
    assertSkipped(
        state.replace("\"one\"", "\"1\"").replaceAll(",\"checksum\":\"[^\"]*\"", ""),
        "has another former state of this number");
  }

  @Test
  void formerStates_overTheLimit_areSkipped() {
    MemoryRecord memory = remember("now");
    world.workspace.commit(
        IntStream.rangeClosed(1, 100)
            .boxed()
            .reduce(
                new MemoryBatch(),
                (batch, n) -> batch.state(n, new MemoryState(memory, world.now, "update")),
                (one, _) -> one));
    String state =
        world.export().stream().filter(one -> one.contains("\"state\"")).findFirst().orElseThrow();
    assertSkipped(state.replace("\"number\":1,", "\"number\":101,"), "has 100 former states");
  }

  @Test
  void channelsAndScratchpads_withOtherValuesHere_stayAndAreReported() {
    world.channels.create(new ChannelName("ops"), "what runs");
    world.conversations.scratchpads().write(SESSION, "k", "1");
    List<String> lines = world.export();
    var other = new ExchangeWorld(2);
    other.channels.create(new ChannelName("ops"), "something else");
    other.conversations.scratchpads().write(SESSION, "k", "2");

    assertThat(other.load(lines, 1000).reasons())
        .satisfiesExactly(
            one -> assertThat(one).contains("channel ops has another description here"),
            one -> assertThat(one).contains("has another value with this key; clear it first"));
  }

  @Test
  void conversation_whoseEventsComeLater_hasItsMetadata() {
    world.append(TestEvents.message("s1", world.now, "hello"));
    world.conversations.archive(ConversationRef.of(SESSION), true);
    var view = world.conversations.conversation(ConversationRef.of(SESSION));
    List<String> lines = world.export();
    var other = new ExchangeWorld(2);
    other.now = world.now;
    other.load(lines, 1000);
    other.append(TestEvents.message("s1", world.now, "hello"));

    assertThat(other.conversations.conversation(ConversationRef.of(view.refCode())).status())
        .isEqualTo(view.status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "channel | \"name\":\"a/b\",\"is_default\":false,\"created_ms\":1 | not a channel name",
        "channel | \"name\":\"..\",\"is_default\":false,\"created_ms\":1 | not a channel name",
        "channel | \"is_default\":false,\"created_ms\":1 | field name is missing",
        "scratchpad | \"session_id\":\"\",\"key\":\"k\",\"value\":\"1\",\"created_ms\":1,\"updated_ms\":1 | session_id: is empty",
        "scratchpad | \"session_id\":\"s\",\"key\":\"k\",\"value\":\"{\",\"created_ms\":1,\"updated_ms\":1 | value",
        "scratchpad | \"session_id\":\"s\",\"key\":\"\",\"value\":\"1\",\"created_ms\":1,\"updated_ms\":1 | key: has to be",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"x\" | not a ref code",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"gone\" | status: is 'gone'; expected active",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"idle\",\"started_ms\":1,\"overrides\":{\"floor\":2} | overrides.floor",
        "conversation | \"session_id\":\"s\",\"ref_code\":\"0123456789a\",\"channel\":\"a\",\"status\":\"idle\",\"started_ms\":1,\"preferences\":1 | preferences: is not an object",
        "tombstone | \"id\":\"x\" | id: is not a ULID",
        "merge | \"id\":\"01KG7Z5P0X0000000000000001\" | field into is missing",
        "state | \"number\":1,\"memory\":1 | memory is not an object",
      })
  void otherLine_thatIsWrong_isSkippedAndSaysWhy(String record, String fields, String reason) {
    assertSkipped("{\"record\":\"%s\",\"schema_version\":1,%s}".formatted(record, fields), reason);
    assertSkipped(
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
            line(world, memory.id()),
            "{\"record\":\"channel\",\"schema_version\":1,\"name\":\"ops\",\"about\":\"what runs\","
                + "\"is_default\":false,\"created_ms\":1}",
            line(world, memory.id()).replace("8080", "8081"),
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
