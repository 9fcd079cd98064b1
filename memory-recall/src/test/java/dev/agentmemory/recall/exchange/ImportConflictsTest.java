package dev.agentmemory.recall.exchange;

import static dev.agentmemory.recall.exchange.ExchangeWorld.ID;
import static dev.agentmemory.recall.exchange.ExchangeWorld.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.conversation.ChannelChange;
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
import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What an import does with lines that meet what is stored, deleted or limited.
class ImportConflictsTest {

  private static final SessionId SESSION = new SessionId("s1");
  private static final ChannelName OPS = new ChannelName("ops");
  private static final ChannelName INFRA = new ChannelName("infra");

  private final ExchangeWorld world = new ExchangeWorld();

  private MemoryRecord remember(String text) {
    return world.memories.remember(MemoryDraft.of(text));
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
    String line = world.line(memory.id());
    world.memories.delete(Deletion.of(memory.id()), false);

    assertThat(world.load(lines, 1000).reasons())
        .containsExactly(
            "line 2: memory %s was deleted, and does not come back; remember it anew"
                .formatted(memory.id()));
    world.assertSkipped(plain(), "what memory %s says was deleted here".formatted(ID));
    assertThat(line).contains("8080");
  }

  @Test
  void textDeletedFromItsSession_doesNotComeBackForTheWorkspace() {
    world.memories.delete(
        Deletion.of(
            world
                .memories
                .remember(
                    MemoryDraft.builder(MemoryContent.of("The port is 8080"))
                        .place(MemoryPlace.conversation(SESSION))
                        .build())
                .id()),
        /* preview= */ false);

    world.assertSkipped(
        plain("'text':'The port", "'session':'s1','text':'The port"),
        "what memory %s says was deleted here".formatted(ID));
    assertThat(world.load(plain("'text':'The port", "'session':'s2','text':'The port")).imported())
        .isEqualTo(1);
  }

  @Test
  void tombstones_travel_andKeepTheirMemoriesAway() {
    MemoryRecord memory = remember("The port is 8080");
    String line = world.line(memory.id());
    world.memories.delete(Deletion.of(memory.id()).because("wrong"), false);
    var other = new ExchangeWorld(2);
    assertThat(other.load(world.export(), 1000).reasons()).isEmpty();

    assertThat(other.load(line).reasons().getFirst()).contains("was deleted");
  }

  @Test
  void tombstone_ofAMemoryThatIsHere_deletesNothing() {
    MemoryRecord memory = remember("a");
    world.assertSkipped(
        "{\"record\":\"tombstone\",\"schema_version\":1,\"id\":\"%s\",\"deleted_ms\":1,\"reason\":\"\"}"
            .formatted(memory.id()),
        "is stored here; delete it");
  }

  @Test
  void droppedMemory_staysAway_andItsTombstoneDoesNotTravel() {
    MemoryRecord memory = remember("a");
    String line = world.line(memory.id());
    world.workspace.commit(new MemoryBatch().drop(memory.id(), world.now, "prune"));

    world.assertSkipped(
        line, "was dropped by upkeep here; `memory consolidation undo` restores it");
    assertThat(world.export()).noneMatch(one -> one.contains("tombstone"));
  }

  @Test
  void mergedMemory_isNotStoredBesideItsSurvivor() {
    MemoryRecord one = remember("a");
    MemoryRecord into = remember("b");
    String line = world.line(one.id());
    world.workspace.commit(new MemoryBatch().merge(one, into.id()));

    world.assertSkipped(line, "was merged into another one here");
    String merge = "{\"record\":\"merge\",\"schema_version\":1,\"id\":\"%s\",\"into\":\"%s\"}";
    assertThat(world.load(merge.formatted(one.id(), into.id())).known()).isEqualTo(1);
    world.assertSkipped(merge.formatted(one.id(), ID), "was merged into another one here");
    world.assertSkipped(merge.formatted(into.id(), ID), "is stored here, and not merged");
    world.assertSkipped(merge.formatted(ID, ID), "into is the same as id");
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
    world.assertSkipped(plain("8080", "8081"), "is stored here with other content", "updated_ms");

    String later =
        plain("8080", "8081")
            .replace("\"updated_ms\":1769783400000", "\"updated_ms\":1769783400001");
    assertThat(world.load(later).imported()).isEqualTo(1);
    assertThat(world.memories.get(ID).content().text()).isEqualTo("The port is 8081");
    assertThat(world.memories.history(ID).states())
        .satisfiesExactly(state -> {
          assertThat(state.memory().content().text()).isEqualTo("The port is 8080");
          assertThat(state.until()).isEqualTo(world.now);
          assertThat(state.reason()).isEqualTo("import");
        });
    assertThat(world.load(plain(), later).known()).isEqualTo(2);
  }

  @Test
  void laterContent_ofAMemoryWithAllFormerStates_replacesTheOldestOfThem() {
    world.load(plain());
    for (int i = 0; i < MemoryChanges.MAX_STATES; i++) {
      world.now = world.now.plusSeconds(1);
      world.memories.update(ID, MemoryUpdate.NONE.withImportance(i / 1000.0));
    }
    String later =
        plain("8080", "8081")
            .replace(
                "\"updated_ms\":1769783400000", "\"updated_ms\":" + (world.now.toEpochMilli() + 1));
    assertThat(world.load(later).imported()).isEqualTo(1);

    List<MemoryState> states = world.memories.history(ID).states();
    assertThat(states).hasSize(MemoryChanges.MAX_STATES);
    assertThat(states.getFirst().reason()).isEqualTo("import");
    assertThat(states.getLast().memory().importance())
        .as("the oldest one, of importance 0.5, is gone")
        .isZero();
  }

  @Test
  void laterStateOfAnotherStore_thatSaysWhatWasDeletedHere_staysAway() {
    world.memories.delete(Deletion.of(remember("The port is 8080").id()), /* preview= */ false);
    MemoryRecord memory = remember("one");
    var other = new ExchangeWorld(2);
    other.load(world.line(memory.id()));
    other.now = world.now.plusSeconds(60);
    world.now = other.now;
    other.memories.update(
        memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("The port is 8080")));

    world.assertSkipped(
        other.line(memory.id()), "what memory %s says was deleted here".formatted(memory.id()));
    assertThat(world.memories.get(memory.id()).content().text()).isEqualTo("one");
  }

  @Test
  void formerStateOfAnotherStore_thatSaysWhatWasDeletedHere_staysAway() {
    world.memories.delete(Deletion.of(remember("The port is 8080").id()), /* preview= */ false);
    var other = new ExchangeWorld(2);
    other.now = world.now;
    MemoryRecord memory = other.memories.remember(MemoryDraft.of("The port is 8080"));
    other.memories.update(memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("two")));

    assertThat(world.load(other.export(), 1000).reasons())
        .singleElement()
        .asString()
        .contains("what memory %s says was deleted here".formatted(memory.id()));
    assertThat(world.memories.get(memory.id()).content().text()).isEqualTo("two");
    assertThat(world.memories.history(memory.id()).states()).isEmpty();
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
            other.memories.history(memory.id()).states().stream()
                .map(state -> state.memory().content().text()))
        .containsExactly("two", "one");
  }

  @Test
  void whatUpkeepChangedHere_staysAndIsKnown() {
    MemoryRecord memory = remember("a");
    String line = world.line(memory.id());
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

    assertThat(world.memories.related(ID, 8).memories()).hasSize(1);
    assertThat(world.memories.get(ID).links().references()).hasSize(1);
  }

  @Test
  void reference_toNothing_isKept_andLeadsNowhere() {
    String line = plain("'references':[]", "'references':['01KG7Z5P0X0000000000000002']");
    assertThat(world.load(line).imported()).isEqualTo(1);

    assertThat(world.memories.related(ID, 1).memories()).isEmpty();
    assertThat(world.load(line).known()).isEqualTo(1);
  }

  @Test
  void accountMemory_namingTheWorkspace_isSkipped() {
    MemoryRecord ofWorkspace = remember("a");
    String account = plain("'scope':'workspace'", "'scope':'account'");
    world.assertSkipped(
        account.replace("\"references\":[]", "\"references\":[\"" + ofWorkspace.id() + "\"]"),
        "references: names " + ofWorkspace.id() + ", a memory of the workspace");
    world.assertSkipped(
        account.replace("\"evidence_events\":[]", "\"evidence_events\":[\"" + ID + "\"]"),
        "evidence_events: is not possible with scope account");
    world.assertSkipped(account.replace("\"text\"", "\"session\":\"s1\",\"text\""), "session");

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
    world.assertSkipped(state.replace("\"number\":1", "\"number\":0"), "number is 0");
    world.assertSkipped(state.replace("\"one\"", "\"1\""), "checksum does not match");
    world.assertSkipped(
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
    world.assertSkipped(state.replace("\"number\":1,", "\"number\":101,"), "has 100 former states");
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
  void channel_renamedHere_isNotMadeAnew_andItsMemoriesFollow() {
    world.channels.create(new ChannelName("ops"), "what runs");
    world.memories.remember(
        MemoryDraft.builder(MemoryContent.of("a"))
            .place(MemoryPlace.channel(new ChannelName("ops")))
            .build());
    List<String> lines = world.export();
    world.channels.change(new ChannelName("ops"), ChannelChange.rename(new ChannelName("infra")));
    List<StoredRecord> before = world.rows();

    assertThat(world.load(lines, 1000).reasons())
        .containsExactly(
            "line 2: channel ops was renamed to infra here; create it first if it is another one");
    assertThat(world.rows()).isEqualTo(before);
    String other = plain("'scope':'workspace'", "'scope':'channel','channel':'ops'");
    assertThat(world.load(other).imported()).isEqualTo(1);
    assertThat(world.workspace.get(ID).place().channel()).contains(new ChannelName("infra"));
    assertThat(world.load(other).known()).isEqualTo(1);
  }

  @Test
  void channel_renamedWhileLinesAreImported_isNotNamedByThem() {
    var infra = new ChannelName("infra");
    world.channels.create(new ChannelName("ops"), "what runs");
    // Runs after the line was read, with nothing locked.
    world.compaction =
        (_, _, _) -> world.channels.change(new ChannelName("ops"), ChannelChange.rename(infra));
    String line = plain("'scope':'workspace'", "'scope':'channel','channel':'ops','session':'s1'");

    assertThat(world.load(line).imported()).isEqualTo(1);
    assertThat(world.workspace.get(ID).place().channel()).contains(infra);
    assertThat(world.workspace.channels()).containsOnlyKeys(infra);
  }

  @Test
  void memory_deletedBeforeItsChannelWasRenamed_staysDeleted() {
    world.channels.create(new ChannelName("ops"), "what runs");
    String line = plain("'scope':'workspace'", "'scope':'channel','channel':'ops'");
    assertThat(world.load(line).imported()).isEqualTo(1);
    world.memories.delete(Deletion.of(ID), /* preview= */ false);
    world.channels.change(new ChannelName("ops"), ChannelChange.rename(new ChannelName("infra")));

    for (String name : List.of("ops", "infra")) {
      world.assertSkipped(
          plain("'scope':'workspace'", "'scope':'channel','channel':'" + name + "'")
              .replace(ID.value(), "01KG7Z5P0X0000000000000002"),
          "was deleted here, and does not come back");
    }
  }

  /// Renames the channel `ops` to `infra`, and creates another channel `ops` later.
  private void giveOpsToAnotherChannel() {
    world.channels.change(OPS, ChannelChange.rename(INFRA));
    world.now = world.now.plusSeconds(3600);
    world.channels.create(OPS, "another one");
    world.now = world.now.plusSeconds(3600);
  }

  private MemoryRecord rememberIn(ChannelName channel, String text) {
    return world.memories.remember(
        MemoryDraft.builder(MemoryContent.of(text)).place(MemoryPlace.channel(channel)).build());
  }

  private static String lineIn(ChannelName channel, String text) {
    return plain("'scope':'workspace'", "'scope':'channel','channel':'" + channel + "'")
        .replace("The port is 8080", text);
  }

  @Test
  void memory_deletedInAnotherChannelOfAFormerName_mayBeInTheRenamedChannel() {
    world.channels.create(OPS, "what runs");
    giveOpsToAnotherChannel();
    MemoryRecord memory = rememberIn(OPS, "The port is 8080");
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);

    world.assertSkipped(lineIn(OPS, "The port is 8080"), "was deleted here");
    assertThat(world.load(lineIn(INFRA, "The port is 8080")).imported()).isEqualTo(1);
  }

  @Test
  void memory_whoseTimeOfDeletionCannotBeRead_isInNoChannelThatHadTheName() {
    world.channels.create(OPS, "what runs");
    giveOpsToAnotherChannel();
    MemoryRecord memory = rememberIn(OPS, "The port is 8080");
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);
    String key =
        world.rows().stream()
            .map(StoredRecord::key)
            .filter(one -> one.startsWith("digest_times:"))
            .findFirst()
            .orElseThrow();
    world.damage(key, row -> row.substring(1));

    world.assertSkipped(lineIn(INFRA, "The port is 8080"), "was deleted here");
  }

  @Test
  void memory_deletedInAChannel_isNotInALaterChannelOfItsFormerName() {
    world.channels.create(OPS, "what runs");
    MemoryRecord memory = rememberIn(OPS, "The port is 8080");
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);
    giveOpsToAnotherChannel();

    world.assertSkipped(lineIn(OPS, "The port is 8080"), "was deleted here");
  }

  @Test
  void memory_deletedInBothChannelsOfAName_staysDeletedInBoth() {
    world.channels.create(OPS, "what runs");
    MemoryRecord former = rememberIn(OPS, "The port is 8080");
    world.memories.delete(Deletion.of(former.id()), /* preview= */ false);
    giveOpsToAnotherChannel();
    MemoryRecord later = rememberIn(OPS, "The port is 8080");
    world.memories.delete(Deletion.of(later.id()), /* preview= */ false);

    world.assertSkipped(lineIn(OPS, "The port is 8080"), "was deleted here");
    world.assertSkipped(lineIn(INFRA, "The port is 8080"), "was deleted here");
  }

  @Test
  void memory_deletedAfterItsFormerNameWasGivenToAnother_staysDeletedWithAllThatItSaid() {
    world.channels.create(OPS, "what runs");
    MemoryRecord memory = rememberIn(OPS, "The port is 8080");
    MemoryRecord part = rememberIn(OPS, "Kafka is the queue");
    world.now = world.now.plusSeconds(60);
    world.memories.update(
        memory.id(), MemoryUpdate.NONE.withContent(MemoryContent.of("The host is db1")));
    world.workspace.commit(new MemoryBatch().merge(part, memory.id()));
    giveOpsToAnotherChannel();
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);

    for (String text : List.of("The port is 8080", "Kafka is the queue", "The host is db1")) {
      world.assertSkipped(lineIn(INFRA, text), "was deleted here");
    }
  }

  @Test
  void memory_deletedAfterItsChannelWasRenamed_staysDeletedUnderTheFormerName() {
    world.channels.create(new ChannelName("ops"), "what runs");
    String line = plain("'scope':'workspace'", "'scope':'channel','channel':'ops'");
    assertThat(world.load(line).imported()).isEqualTo(1);
    world.channels.change(new ChannelName("ops"), ChannelChange.rename(new ChannelName("infra")));
    world.memories.delete(Deletion.of(ID), /* preview= */ false);

    assertThat(
            world
                .workspace
                .tombstones()
                .isForgotten(MemoryPlace.channel(new ChannelName("ops")), "The port is 8080"))
        .isTrue();
    assertThat(
            world
                .workspace
                .tombstones()
                .isForgotten(MemoryPlace.channel(new ChannelName("general")), "The port is 8080"))
        .isFalse();
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
}
