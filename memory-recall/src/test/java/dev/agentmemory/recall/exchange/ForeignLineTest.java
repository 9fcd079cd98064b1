package dev.agentmemory.recall.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lines of a `memory.jsonl` of another program.
class ForeignLineTest {

  private static final String TURN =
      "{'id':'mem_1','session_id':'sess_7','timestamp':'2026-01-10T09:00:00.250Z',"
          + "'type':'conversation','content':{'role':'user','message':'Which port?','metadata':{}},"
          + "'importance':0.4,'decay_factor':0.93,'tags':[],'references':[],'checksum':'sha256:00'}";

  private static final String DECISION =
      "{'id':'mem_2','session_id':'sess_7','timestamp':'2026-01-10T10:01:00+01:00','type':'decision',"
          + "'content':{'decision':'Listen on 8080','rationale':'8000 is taken','alternatives':['80']},"
          + "'importance':0.9,'tags':['Network','ops'],'references':['mem_1','mem_3']}";

  private static final String FINDING =
      "{'schema_version':1,'id':'mem_3','session_id':'sess_7','timestamp':'2026-01-10T10:02:00',"
          + "'type':'finding','content':'The proxy drops idle links','importance':1,'tags':['net-work'],"
          + "'references':['mem_2']}";

  private final ExchangeWorld world = new ExchangeWorld();

  private ImportReport load(String... lines) {
    return world.load(
        List.of(lines).stream().map(line -> line.replace('\'', '"')).toArray(String[]::new));
  }

  private MemoryRecord memory(String id) {
    return world.workspace.get(ForeignLine.derived("sess_7", id));
  }

  @Test
  void lines_becomeMemories_withTheirTimesKindsTagsAndReferences() {
    assertThat(load(TURN, DECISION, FINDING)).isEqualTo(new ImportReport(3, 0, 0, List.of()));
    MemoryRecord turn = memory("mem_1");
    MemoryRecord decision = memory("mem_2");
    MemoryRecord finding = memory("mem_3");

    assertThat(turn.kind()).isEqualTo(MemoryKind.CONVERSATION);
    assertThat(turn.source()).isEqualTo("user");
    assertThat(turn.lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
    assertThat(turn.place()).isEqualTo(MemoryPlace.WORKSPACE.from(new SessionId("sess_7")));
    assertThat(turn.content().text()).isEqualTo("Which port?");
    assertThat(turn.content().json())
        .contains("{\"metadata\":{},\"original_id\":\"mem_1\",\"role\":\"user\"}");
    assertThat(turn.validity().created()).isEqualTo(Instant.parse("2026-01-10T09:00:00.250Z"));
    assertThat(turn.importance()).isEqualTo(0.4);
    assertThat(decision.kind()).isEqualTo(MemoryKind.DECISION);
    assertThat(decision.source()).isEqualTo("import");
    assertThat(decision.content().text()).isEqualTo("Listen on 8080");
    assertThat(decision.content().json())
        .contains(
            "{\"alternatives\":[\"80\"],\"original_id\":\"mem_2\",\"rationale\":\"8000 is taken\"}");
    assertThat(decision.tags()).containsExactlyInAnyOrder(new Tag("network"), new Tag("ops"));
    assertThat(decision.validity().created()).isEqualTo(Instant.parse("2026-01-10T09:01:00Z"));
    assertThat(decision.links().references()).containsExactly(turn.id(), finding.id());
    assertThat(finding.validity().created()).isEqualTo(Instant.parse("2026-01-10T10:02:00Z"));
    assertThat(finding.content().text()).isEqualTo("The proxy drops idle links");
  }

  /// The examples of the format's description, character for character.
  @Test
  void examplesOfTheFormat_areTakenAsWritten_alsoWithTheLineEndsOfWindows() {
    String file =
        """
        {"id":"mem_001","session_id":"sess_001","timestamp":"2026-01-10T10:00:00Z","type":"conversation","content":{"role":"user","message":"Hello"},"importance":0.5,"decay_factor":1.0,"tags":[],"references":[]}
        {"id":"mem_002","session_id":"sess_001","timestamp":"2026-01-10T10:01:00Z","type":"conversation","content":{"role":"assistant","message":"Hi!"},"importance":0.5,"decay_factor":1.0,"tags":[],"references":["mem_001"]}
        """;
    String[] lines = file.split("\n", -1);

    assertThat(world.load(lines[0] + "\r", lines[1] + "\r", lines[2]))
        .isEqualTo(new ImportReport(2, 0, 0, List.of()));
    MemoryRecord answer = world.workspace.get(ForeignLine.derived("sess_001", "mem_002"));
    assertThat(answer.content().text()).isEqualTo("Hi!");
    assertThat(answer.source()).isEqualTo("assistant");
    assertThat(answer.links().references())
        .containsExactly(ForeignLine.derived("sess_001", "mem_001"));
    assertThat(world.load(lines)).isEqualTo(new ImportReport(0, 2, 0, List.of()));
  }

  @Test
  void references_followAcrossCalls_alsoInCircles() {
    world.load(
        List.of(TURN, DECISION, FINDING).stream().map(one -> one.replace('\'', '"')).toList(), 1);

    assertThat(world.memories.related(memory("mem_3").id(), 8).memories())
        .extracting(one -> one.memory().id())
        .containsExactly(memory("mem_2").id(), memory("mem_1").id());
  }

  @Test
  void file_importedTwice_changesNothing() {
    load(TURN, DECISION, FINDING);
    var before = world.rows();

    assertThat(load(TURN, DECISION, FINDING)).isEqualTo(new ImportReport(0, 3, 0, List.of()));
    assertThat(world.rows()).isEqualTo(before);
  }

  @Test
  void ids_areDerivedFromTheSessionToo_andTheSameEverywhere() {
    assertThat(ForeignLine.derived("sess_7", "mem_1"))
        .isEqualTo(ForeignLine.derived("sess_7", "mem_1"))
        .isNotEqualTo(ForeignLine.derived("sess_8", "mem_1"))
        .isNotEqualTo(ForeignLine.derived("sess_7", "mem_2"))
        .isEqualTo(MemoryId.of("0000000000WA2F4DX6KNK5K48J"));
    MemoryId own = MemoryId.of("01KG7Z5P0X0000000000000001");
    assertThat(ForeignLine.derived("sess_7", own.value())).isEqualTo(own);
  }

  private static String decision(String id, String time, String text) {
    return "{'id':'%s','session_id':'sess_7','timestamp':'%s','type':'decision','content':'%s'}"
        .formatted(id, time, text);
  }

  private static final String MOCHA =
      decision("mem_1", "2025-01-10T10:00:00Z", "We use Mocha for the frontend tests.");
  private static final String VITEST =
      decision("mem_2", "2025-02-10T10:00:00Z", "We switched to Vitest for the frontend tests.");

  private void assertReplaced() {
    assertThat(memory("mem_1").validity().supersededBy()).contains(memory("mem_2").id());
    assertThat(memory("mem_1").validity().supersededAt())
        .contains(Instant.parse("2025-02-10T10:00:00Z"));
    assertThat(memory("mem_2").isSuperseded()).isFalse();
  }

  @Test
  void statementThatALaterLineContradicts_isReplaced_inAnyOrder() {
    assertThat(load(VITEST, MOCHA).imported()).isEqualTo(2);
    assertReplaced();
    assertThat(load(MOCHA, VITEST).known()).isEqualTo(2);
    assertReplaced();

    var other = new ExchangeWorld(2);
    List<String> lines = world.export();
    assertThat(other.load(lines, 1).reasons()).isEmpty();
    assertThat(other.export()).isEqualTo(lines);
  }

  @Test
  void statementsOfTwoCalls_areComparedWithWhatIsStored() {
    load(MOCHA);
    load(VITEST);
    assertReplaced();
    assertThat(world.memories.history(memory("mem_1").id()).states())
        .extracting(MemoryState::reason)
        .containsExactly("supersession");
  }

  @Test
  void statementOfAnOwnLine_isComparedWithAForeignOneOfTheSameCall() {
    var other = new ExchangeWorld(2);
    MemoryRecord own =
        other.memories.remember(
            MemoryDraft.builder(MemoryContent.of("We use Mocha for the frontend tests."))
                .kind(MemoryKind.DECISION)
                .created(Instant.parse("2025-01-10T10:00:00Z"))
                .build());
    assertThat(load(VITEST, other.line(own.id())).imported()).isEqualTo(2);

    assertThat(world.workspace.get(own.id()).validity().supersededBy())
        .contains(memory("mem_2").id());
  }

  @Test
  void sameId_inTwoSessions_areTwoMemories() {
    load(TURN, TURN.replace("sess_7", "sess_8"));
    assertThat(world.workspace.entries()).hasSize(2);
  }

  @Test
  void content_withoutAKnownField_hasAllItsTexts() {
    load(TURN.replace("'message':'Which port?'", "'question':{'short':'Which port?'},'n':3"));

    assertThat(memory("mem_1").content().text()).isEqualTo("user\nWhich port?");
    assertThat(memory("mem_1").content().json().orElseThrow()).contains("\"n\":3", "\"question\"");
  }

  @Test
  void memory_isInTheChannelOfItsSession() {
    world.append(TestEvents.message("sess_7", world.now, "hello"));
    load(TURN);

    assertThat(memory("mem_1").place().channel()).isPresent();
  }

  @Test
  void originalId_isFoundBySearch() {
    load(TURN, DECISION);
    assertThat(
            world
                .memories
                .list(
                    MemoryFilter.builder().session(new SessionId("sess_7")).build(),
                    PageRequest.first())
                .page()
                .items())
        .hasSize(2);
    assertThat(world.memories.search(MemorySearch.of("mem_2")).hits())
        .extracting(hit -> hit.memory().id())
        .contains(memory("mem_2").id());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'type':'conversation' | 'type':'rumour' | type has an unknown value; expected conversation, decision",
        "'type':'conversation', | `` | field type is missing",
        "'id':'mem_1' | 'name':'mem_1' | field id is missing",
        "'session_id':'sess_7' | 'session_id':'' | session_id: is empty",
        "2026-01-10T09:00:00.250Z | 10 January | timestamp is no time; expected ISO 8601",
        "2026-01-10T09:00:00.250Z | 2026-02-10T09:00:00Z | more than 300 s (ingest.max_clock_skew) ahead",
        "'message':'Which port?' | 'message':'' | content: is empty",
        "{'role':'user','message':'Which port?','metadata':{}} | 7 | content is neither an object nor a text",
        "{'role':'user','message':'Which port?','metadata':{}} | {} | content: is empty",
        "'importance':0.4 | 'importance':2 | importance: is 2.0",
        "'tags':[] | 'tags':['two words'] | tags: has a level",
        "'references':[] | 'references':[7] | field references holds what is no text",
      })
  void line_thatIsWrong_isSkippedAndSaysWhy(String from, String to, String reason) {
    assertThat(TURN).contains(from);
    ImportReport report = load(TURN.replace(from, to == null ? "" : to));

    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.reasons().getFirst()).startsWith("line 1: ").contains(reason);
    assertThat(world.rows()).isEmpty();
  }
}
