package dev.agentmemory.cli.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the commands for memories ask, and what they say of the answer.
class MemoryCommandsTest {

  private static final Instant TIME = Instant.parse("2026-01-30T14:30:00Z");
  private static final MemoryId ID = MemoryId.of("01KG7Z5P0X0000000000000001");
  private static final MemoryId OTHER = MemoryId.of("01KG7Z5P0X0000000000000002");
  private static final SessionId SESSION = new SessionId("s1");
  private static final ChannelName CHANNEL = new ChannelName("backend");
  private static final MemoryRecord MEMORY =
      new MemoryRecord(
          ID,
          MemoryPlace.WORKSPACE.from(SESSION),
          MemoryLifetime.SHORT_TERM,
          MemoryKind.DECISION,
          "user",
          new MemoryContent(
              "Use the Authorization Code flow", Optional.of("{\"rationale\": \"safest\"}")),
          0.9,
          false,
          Set.of(new Tag("oauth2"), new Tag("security")),
          MemoryLinks.NONE.withReferences(List.of(OTHER)),
          Validity.since(TIME),
          MemoryUse.NEVER,
          MemoryRecord.EmbeddingState.PENDING,
          "sha256:" + "ab".repeat(32));

  @TempDir private Path folder;

  private final TestConsole console = new TestConsole();

  private static Tag tag(String text) {
    return new Tag(text);
  }

  private Object asked(String method, int argument) {
    Call last = console.script.last();
    assertThat(last.method()).isEqualTo(method);
    return last.arguments().get(argument);
  }

  @Test
  void remember_textOnly_hasTheDefaults() {
    console.script.answer("Memories.remember", List.of(MEMORY));
    assertThat(console.run("remember", "Use", "the", "flow"))
        .isEqualTo(
            new TestConsole.Said(
                ExitCodes.OK, ID + " stored: decision, workspace, short-term\n", ""));
    assertThat(asked("Memories.remember", 0)).isEqualTo(List.of(MemoryDraft.of("Use the flow")));
  }

  @Test
  void remember_everyOption_reachesTheDraft() throws IOException {
    Path json = Files.writeString(folder.resolve("c.json"), " {\"alternatives\": [\"PKCE\"]}\n");
    console.script.answer("Memories.remember", List.of(MEMORY));
    TestConsole.Said said =
        console.run(
            "remember",
            "text",
            "--json-content=" + json,
            "--kind=decision",
            "--scope=channel",
            "--lifetime=long_term",
            "--session=s1",
            "--channel=backend",
            "--source=researcher",
            "--importance=0.9",
            "--tag=Oauth2,security.authentication",
            "--tag=architecture",
            "--reference=" + OTHER,
            "--event=" + ID,
            "--grip=grip:1769783400000:" + ID,
            "--at=2026-01-30T14:30Z",
            "--id=" + ID);
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(asked("Memories.remember", 0))
        .isEqualTo(
            List.of(
                MemoryDraft.builder(
                        new MemoryContent("text", Optional.of("{\"alternatives\": [\"PKCE\"]}")))
                    .id(ID)
                    .place(
                        new MemoryPlace(
                            MemoryScope.CHANNEL, Optional.of(CHANNEL), Optional.of(SESSION)))
                    .lifetime(MemoryLifetime.LONG_TERM)
                    .kind(MemoryKind.DECISION)
                    .source("researcher")
                    .importance(0.9)
                    .tags(
                        Set.of(tag("oauth2"), tag("security.authentication"), tag("architecture")))
                    .links(
                        new MemoryLinks(
                            List.of(OTHER),
                            List.of(new EventId(ID.value())),
                            List.of(new GripId("grip:1769783400000:" + ID))))
                    .created(TIME)
                    .build()));
  }

  @Test
  void remember_standardInput_isTheTextOrTheStructure() {
    console.script.answer("Memories.remember", List.of(MEMORY));
    console.withInput("two\nlines\n").run("remember", "-");
    assertThat(asked("Memories.remember", 0)).isEqualTo(List.of(MemoryDraft.of("two\nlines")));
    console.withInput("{\"a\": 1}").run("remember", "text", "--json-content", "-");
    assertThat(asked("Memories.remember", 0))
        .isEqualTo(
            List.of(
                MemoryDraft.builder(new MemoryContent("text", Optional.of("{\"a\": 1}"))).build()));
  }

  @Test
  void remember_lines_areMemoriesOfOneCall() {
    console.script.answer("Memories.remember", List.of(MEMORY));
    console.withInput("first\n\n second \r\nthird").run("remember", "-", "--lines");
    assertThat(asked("Memories.remember", 0))
        .isEqualTo(
            List.of(MemoryDraft.of("first"), MemoryDraft.of(" second "), MemoryDraft.of("third")));
  }

  @Test
  void remember_whatIsWrong_isToldByTheNameOfTheOption() throws IOException {
    Path list = Files.writeString(folder.resolve("list.json"), "[1]");
    refused("--session: is missing", "remember", "x", "--scope", "conversation");
    refused("--channel: is missing", "remember", "x", "--scope", "channel");
    refused("--event: is not possible", "remember", "x", "--scope", "account", "--event=" + ID);
    refused("--lifetime: is conversation", "remember", "x", "--lifetime", "conversation");
    refused("--importance: is NaN", "remember", "x", "--importance", "NaN");
    refused("--tag: has an empty level", "remember", "x", "--tag", "a..b");
    refused("--reference: is not a ULID", "remember", "x", "--reference", "mem_1");
    refused("--grip: is `1`", "remember", "x", "--grip", "1");
    refused("--source: has to be", "remember", "x", "--source", " ");
    refused("--at: is `someday`", "remember", "x", "--at", "someday");
    refused("TEXT: is empty", "remember", " ");
    refused("--json-content: has no JSON object", "remember", "x", "--json-content=" + list);
    refused("--json-content: is -, and so is TEXT", "remember", "-", "--json-content=-");
    console.withInput(new byte[] {(byte) 0xc3, 0x28});
    refused("TEXT: is not UTF-8", "remember", "-");
    console.withInput(new byte[MemoryContent.MAX_BYTES + 1]);
    refused("TEXT: has more than 1048576 bytes", "remember", "-");
    console.withInput("x\n".repeat(1001));
    refused("TEXT: has 1001 lines", "remember", "-", "--lines");
    assertThat(console.script.calls()).isEmpty();
  }

  private void refused(String message, String... words) {
    TestConsole.Said said = console.run(words);
    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).startsWith("memory: " + message);
  }

  @Test
  void recall_nothing_findsWhatIsCurrent() {
    console.script.answer("Memories.search", new MemoryAnswer(List.of(), false, 0));
    assertThat(console.run("recall"))
        .isEqualTo(new TestConsole.Said(ExitCodes.OK, "no memories: nothing matches\n", ""));
    assertThat(asked("Memories.search", 0)).isEqualTo(MemorySearch.of(""));
  }

  @Test
  void recall_everyOption_reachesTheSearch() {
    console.script.answer("Memories.search", new MemoryAnswer(List.of(), false, 0));
    TestConsole.Said said =
        console.run(
            "recall",
            "oauth*",
            "flow",
            "--kind=decision,FINDING",
            "--scope=workspace",
            "--lifetime=long_term,short_term",
            "--source=user",
            "--source=a, b",
            "--session=s1",
            "--channel=backend",
            "--tag=security,oauth2",
            "--all-tags",
            "--without-tag=deprecated",
            "--after=2026-01-01",
            "--before=2026-01-10",
            "--min-importance=0.7",
            "--references=" + ID + "," + OTHER,
            "--depth=2",
            "--pinned",
            "--superseded",
            "--as-session=s2",
            "--as-channel=frontend",
            "--sort=importance",
            "--as-of=2026-01-05",
            "--limit=7",
            "--explain");
    assertThat(said.code()).as(said.err()).isZero();
    MemoryFilter filter =
        MemoryFilter.builder()
            .kinds(Set.of(MemoryKind.DECISION, MemoryKind.FINDING))
            .scopes(Set.of(MemoryScope.WORKSPACE))
            .lifetimes(Set.of(MemoryLifetime.LONG_TERM, MemoryLifetime.SHORT_TERM))
            .sources(Set.of("user", "a, b"))
            .session(SESSION)
            .channel(CHANNEL)
            .tags(TagFilter.all(tag("security"), tag("oauth2")).without(tag("deprecated")))
            .after(Instant.parse("2026-01-01T00:00:00Z"))
            .before(Instant.parse("2026-01-10T00:00:00Z"))
            .minImportance(0.7)
            .near(new MemoryFilter.Neighbourhood(Set.of(ID, OTHER), 2))
            .pinned(true)
            .superseded(true)
            .build();
    assertThat(asked("Memories.search", 0))
        .isEqualTo(
            new MemorySearch(
                "oauth* flow",
                filter,
                new MemorySearch.Viewer(
                    Optional.of(new SessionId("s2")), Optional.of(new ChannelName("frontend"))),
                MemorySearch.Order.IMPORTANCE,
                Optional.of(Instant.parse("2026-01-05T23:59:59.999Z")),
                7,
                /* explain= */ true));
  }

  @Test
  void recall_sessionAndChannel_areAlsoFromWhereItSearches() {
    console.script.answer("Memories.search", new MemoryAnswer(List.of(), false, 0));
    console.run("recall", "--session", "s1", "--channel", "backend", "--last", "1w");
    assertThat(asked("Memories.search", 0))
        .isEqualTo(
            MemorySearch.of("")
                .withFilter(
                    MemoryFilter.builder()
                        .session(SESSION)
                        .channel(CHANNEL)
                        .after(TestConsole.NOW.minus(Duration.ofDays(7)))
                        .build())
                .withViewer(new MemorySearch.Viewer(Optional.of(SESSION), Optional.of(CHANNEL))));
  }

  @Test
  void recall_results_sayWhy() {
    var hit =
        new MemoryHit(
            MEMORY,
            0.64,
            new MemoryHit.Why(1, 0.9, 0.71, 1, 1, MemoryScope.WORKSPACE),
            List.of(OTHER),
            List.of());
    console.script.answer("Memories.search", new MemoryAnswer(List.of(hit), true, 2, 3));
    TestConsole.Said said = console.run("recall", "flow");
    assertThat(said.out().lines())
        .containsExactly(
            "1 memory by words",
            "",
            "1   2026-01-30 14:30:00  decision, workspace  relevance 0.64",
            "    Use the Authorization Code flow",
            "    from user, session s1, tags oauth2 security",
            "    match 1.00, importance 0.90, decay 0.71, frequency 1.00, recency 1.00",
            "    replaces " + OTHER,
            "    memory memories get " + ID);
    assertThat(said.err().lines())
        .containsExactly(
            "memory: 3 more memories left out because the answer would be too large; narrow the"
                + " filters",
            "memory: 2 memories left out because the checksum does not match; run `memory"
                + " doctor --deep`");
    assertThat(console.runJson("recall", "flow").out())
        .startsWith("{\"query\":\"flow\",\"text_only\":true,\"memories\":[{\"memory\":{")
        .contains("\"content_json\":{\"rationale\": \"safest\"}", "\"match\":1.0")
        .endsWith("\"skipped\":2,\"omitted\":3}\n");
  }

  @Test
  void recall_longMemories_areCutUnlessAskedFor() {
    var long1 =
        new MemoryHit(
            withText("line\n".repeat(9)),
            1,
            new MemoryHit.Why(1, 1, 1, 1, 1, MemoryScope.WORKSPACE),
            List.of(),
            List.of());
    console.script.answer("Memories.search", new MemoryAnswer(List.of(long1), false, 0));
    assertThat(console.run("recall").out()).contains("… 3 more lines, see --full");
    assertThat(console.run("recall", "--full").out()).doesNotContain("more lines");
  }

  private static MemoryRecord withText(String text) {
    return new MemoryRecord(
        MEMORY.id(),
        MEMORY.place(),
        MEMORY.lifetime(),
        MEMORY.kind(),
        MEMORY.source(),
        MemoryContent.of(text),
        MEMORY.importance(),
        true,
        MEMORY.tags(),
        MEMORY.links(),
        MEMORY.validity().superseded(TIME, OTHER),
        new MemoryUse(Optional.of(TIME), 2),
        MEMORY.embedding(),
        MEMORY.checksum());
  }

  @Test
  void list_moreThanAPage_isReadPageByPage() {
    console.script.answer(
        "Memories.list",
        arguments -> {
          PageRequest page = (PageRequest) arguments.get(1);
          return new MemoryPage(
              new Page<>(
                  IntStream.range(0, page.limit()).mapToObj(_ -> MEMORY).toList(),
                  page.token() + "x"),
              1);
        });
    TestConsole.Said said = console.run("memories", "list", "--limit", "1500", "--kind=finding");
    assertThat(said.out().lines()).hasSize(1501);
    assertThat(said.err()).contains("there are more", "2 memories left out");
    assertThat(console.script.calls())
        .extracting(call -> call.arguments().get(1))
        .containsExactly(new PageRequest("", 1000), new PageRequest("x", 500));
    assertThat(asked("Memories.list", 0))
        .isEqualTo(MemoryFilter.builder().kinds(Set.of(MemoryKind.FINDING)).build());
    assertThat(console.run("memories", "list").out().lines())
        .hasSize(11)
        .element(1)
        .isEqualTo(
            ID + "  2026-01-30 14:30:00  decision     0.90  Use the Authorization Code flow");
  }

  @Test
  void get_memory_showsAllFields() {
    console.script.answer("Memories.get", withText("text"));
    assertThat(console.run("memories", "get", ID.value()).out())
        .contains(
            "content            text\n",
            "kind               decision, short-term\n",
            "importance         0.90, pinned\n",
            "refers to          " + OTHER,
            "replaced           by " + OTHER + ", 2026-01-30 14:30:00\n",
            "read               2 times, last 2026-01-30 14:30:00\n");
    assertThat(asked("Memories.get", 0)).isEqualTo(ID);
    console.script.answer("Memories.get", MEMORY);
    assertThat(console.runJson("memories", "get", ID.value()).out())
        .isEqualTo(
            "{\"memory_id\":\"01KG7Z5P0X0000000000000001\",\"scope\":\"workspace\","
                + "\"channel\":null,\"session_id\":\"s1\",\"lifetime\":\"short_term\","
                + "\"kind\":\"decision\",\"source\":\"user\","
                + "\"content\":\"Use the Authorization Code flow\","
                + "\"content_json\":{\"rationale\": \"safest\"},\"importance\":0.9,"
                + "\"pinned\":false,\"tags\":[\"oauth2\",\"security\"],"
                + "\"references\":[\"01KG7Z5P0X0000000000000002\"],\"evidence_event_ids\":[],"
                + "\"evidence_grip_ids\":[],\"created_ms\":1769783400000,"
                + "\"updated_ms\":1769783400000,\"valid_from_ms\":1769783400000,"
                + "\"superseded_ms\":null,\"superseded_by\":null,\"last_access_ms\":null,"
                + "\"access_count\":0,\"embedding\":\"pending\",\"checksum\":\"sha256:"
                + "ab".repeat(32)
                + "\"}\n");
  }

  @Test
  void update_everyOption_reachesTheUpdate() {
    console.script.answer("Memories.update", MEMORY);
    TestConsole.Said said =
        console.run(
            "memories",
            "update",
            ID.value(),
            "new",
            "text",
            "--importance=0.3",
            "--lifetime=long_term",
            "--kind=finding",
            "--tag=a,b",
            "--reference=" + OTHER);
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(asked("Memories.update", 0)).isEqualTo(ID);
    assertThat(asked("Memories.update", 1))
        .isEqualTo(
            MemoryUpdate.NONE
                .withContent(MemoryContent.of("new text"))
                .withImportance(0.3)
                .withLifetime(MemoryLifetime.LONG_TERM)
                .withKind(MemoryKind.FINDING)
                .withTags(Set.of(tag("a"), tag("b")))
                .withReferences(List.of(OTHER)));
    console.run("memories", "update", ID.value(), "--no-tags", "--no-references");
    assertThat(asked("Memories.update", 1))
        .isEqualTo(MemoryUpdate.NONE.withTags(Set.of()).withReferences(List.of()));
    refused("TEXT: is missing", "memories", "update", ID.value());
    refused(
        "--json-content: replaces the text", "memories", "update", ID.value(), "--json-content=x");
    refused(
        "--no-references: is given",
        "memories",
        "update",
        ID.value(),
        "--no-references",
        "--reference=" + OTHER);
  }

  @Test
  void historyAndRelated_areListed() {
    console.script.answer(
        "Memories.history",
        new MemoryState.History(List.of(new MemoryState(MEMORY, TIME, "merge")), 0));
    assertThat(console.run("memories", "history", ID.value()).out())
        .isEqualTo(
            """
            until 2026-01-30 14:30:00, merge: decision, short-term, importance 0.90
              Use the Authorization Code flow
            """);
    console.script.answer("Memories.history", new MemoryState.History(List.of(), 0));
    assertThat(console.run("memories", "history", ID.value()).out())
        .isEqualTo("memory " + ID + " has never changed\n");
    console.script.answer(
        "Memories.related",
        new RelatedMemory.Answer(
            List.of(
                new RelatedMemory(MEMORY, 1),
                new RelatedMemory(MEMORY, 1),
                new RelatedMemory(MEMORY, 2)),
            0,
            0));
    assertThat(console.run("memories", "related", ID.value(), "--depth", "2").out().lines())
        .hasSize(6)
        .contains("referred to directly:", "through 1 other:");
    assertThat(asked("Memories.related", 1)).isEqualTo(2);
  }

  @Test
  void historyAndRelated_withWhatCannotBeRead_saySo() {
    console.script.answer("Memories.history", new MemoryState.History(List.of(), 2));
    TestConsole.Said history = console.run("memories", "history", ID.value());
    assertThat(history.out()).isEmpty();
    assertThat(history.err()).contains("2 former states left out", "`memory doctor --deep`");
    assertThat(console.runJson("memories", "history", ID.value()).out()).contains("\"skipped\":2");
    console.script.answer("Memories.related", new RelatedMemory.Answer(List.of(), 1, 0));
    assertThat(console.run("memories", "related", ID.value()).err())
        .contains("1 memory left out", "`memory doctor --deep`");
    assertThat(console.runJson("memories", "related", ID.value()).out()).contains("\"skipped\":1");
  }

  @Test
  void related_moreThanAnAnswerHolds_saysHowManyAreLeftOut() {
    console.script.answer(
        "Memories.related", new RelatedMemory.Answer(List.of(new RelatedMemory(MEMORY, 1)), 0, 3));
    assertThat(console.run("memories", "related", ID.value()).err())
        .contains("3 more memories left out because one answer has at most 1000", "--depth");
    assertThat(console.runJson("memories", "related", ID.value()).out())
        .endsWith("\"skipped\":0,\"omitted\":3}\n");
  }

  @Test
  void id_asACitationHasIt_isTaken() {
    console.script.answer("Memories.history", new MemoryState.History(List.of(), 0));
    var _ = console.run("memories", "history", "mem:" + ID);
    assertThat(asked("Memories.history", 0)).isEqualTo(ID);
  }

  @Test
  void pin_andUnpin_areToldOf() {
    console.script.answer("Memories.pin", withText("text"));
    assertThat(console.run("memories", "pin", ID.value()).out())
        .isEqualTo("memory " + ID + " is pinned\n");
    assertThat(asked("Memories.pin", 1)).isEqualTo(true);
    console.script.answer("Memories.pin", MEMORY);
    assertThat(console.run("memories", "unpin", ID.value()).out())
        .isEqualTo("memory " + ID + " is not pinned\n");
    assertThat(asked("Memories.pin", 1)).isEqualTo(false);
  }

  @Test
  void delete_byIdTopicAndTime_asksWhatItShould() {
    console.script.answer("Memories.delete", new DeletionReport(0, List.of(), 0));
    assertThat(console.run("memories", "delete", ID.value(), "--reason", "asked for").out())
        .isEqualTo("0 memories deleted\n");
    assertThat(console.script.last())
        .isEqualTo(
            Call.of("Memories.delete", Deletion.of(ID).because("asked for"), /* preview */ false));
    console.run("memories", "delete", "--topic", "Personal_info", "--session", "s1", "--yes");
    assertThat(asked("Memories.delete", 0))
        .isEqualTo(Deletion.ofTopic(tag("personal_info")).ofSession(SESSION));
    console.run("memories", "delete", "--after=2026-01-01", "--before=2026-01-05", "--preview");
    assertThat(console.script.last())
        .isEqualTo(
            Call.of(
                "Memories.delete",
                Deletion.between(
                    Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-05T00:00:00Z")),
                true));
  }

  @Test
  void delete_ofMany_isConfirmedOrRefused() {
    console.script.answer("Memories.delete", new DeletionReport(3, List.of(MEMORY), 0));
    refused("--yes: is required", "memories", "delete", "--topic", "a");
    assertThat(console.script.calls())
        .extracting(call -> call.arguments().get(1))
        .containsExactly(true);
    TestConsole.Said shown = console.run("memories", "delete", "--topic", "a", "--preview");
    assertThat(shown.out())
        .startsWith("3 memories would be deleted, none is\n")
        .endsWith("2 more\n");
    assertThat(console.run("memories", "delete", "--topic", "a", "--yes").out())
        .startsWith("3 memories deleted\n");
  }

  @Test
  void delete_withMemoriesThatCannotBeRead_saysHowManyWerePassedOver() {
    console.script.answer("Memories.delete", new DeletionReport(0, List.of(), 2));
    TestConsole.Said said = console.run("memories", "delete", "--topic", "a", "--yes");
    assertThat(said.out()).isEqualTo("0 memories deleted\n");
    assertThat(said.err()).contains("2 memories cannot be read", "`memory doctor --deep`");
    assertThat(console.runJson("memories", "delete", "--topic", "a", "--yes").out())
        .endsWith("\"skipped\":2}\n");
  }

  @Test
  void statsAndRebuild_areToldOf() {
    console.script.answer(
        "Memories.stats",
        new MemoryStats(
            Map.of(MemoryScope.WORKSPACE, 2L, MemoryScope.ACCOUNT, 1L),
            Map.of(MemoryKind.FINDING, 3L),
            Map.of(MemoryLifetime.LONG_TERM, 3L),
            1,
            2,
            3,
            2048,
            4));
    assertThat(console.run("memories", "stats").out())
        .contains(
            "memories           3, 2.0 KiB\n",
            "scopes             2 workspace, 1 account\n",
            "lifetimes          3 long-term\n",
            "4 with a checksum that does not match");
    assertThat(console.runJson("memories", "stats").out())
        .startsWith("{\"total\":3,\"scopes\":{\"workspace\":2,\"account\":1}");
    console.script.answer("Memories.rebuildIndex", 5000L);
    assertThat(console.run("memories", "rebuild-index").out())
        .isEqualTo("5,000 memories indexed\n");
  }

  @Test
  void orient_document_isAllThatIsPrinted() {
    console.script.answer(
        "Recall.orient", new OrientationDocument("# Now\n\n", 3, List.of(ID.value()), false, 0));
    assertThat(
            console.run(
                "orient", "oauth", "flow", "--session=s1", "--channel=backend", "--budget=500"))
        .isEqualTo(new TestConsole.Said(ExitCodes.OK, "# Now\n", ""));
    assertThat(asked("Recall.orient", 0))
        .isEqualTo(
            new OrientationRequest(
                "oauth flow",
                new MemorySearch.Viewer(Optional.of(SESSION), Optional.of(CHANNEL)),
                500,
                /* enveloped= */ true));
    assertThat(console.runJson("orient").out())
        .isEqualTo(
            "{\"markdown\":\"# Now\\n\\n\",\"tokens\":3,\"citations\":["
                + "\"01KG7Z5P0X0000000000000001\"],\"refined\":false,\"skipped\":0}\n");
    assertThat(asked("Recall.orient", 0))
        .as("the Markdown of JSON is plain")
        .isEqualTo(OrientationRequest.of(""));
    refused("--budget: is 99", "orient", "--budget", "99");
  }
}
