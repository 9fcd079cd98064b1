package dev.agentmemory.recall.upkeep;

import static dev.agentmemory.recall.upkeep.UpkeepWorld.SESSION;
import static dev.agentmemory.recall.upkeep.UpkeepWorld.START;
import static dev.agentmemory.recall.upkeep.UpkeepWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConsolidationTest {

  private final UpkeepWorld world = new UpkeepWorld();

  private static ConsolidationCounts counts(
      long scored,
      long promoted,
      long pruned,
      long merged,
      long superseded,
      long capped,
      long expired) {
    return new ConsolidationCounts(scored, promoted, pruned, merged, superseded, capped, expired);
  }

  /// Runs and demands that the preview has told the same.
  private static void run(UpkeepWorld world, ConsolidationCounts expected) {
    ConsolidationPreview preview = world.upkeep.preview();
    assertThat(preview.counts()).isEqualTo(expected);
    assertThat(preview.first()).hasSize((int) expected.changes());
    Map<String, String> done = world.upkeep.run();
    assertThat(done)
        .containsEntry("scored", Long.toString(expected.scored()))
        .containsEntry("promoted", Long.toString(expected.promoted()))
        .containsEntry("pruned", Long.toString(expected.pruned()))
        .containsEntry("merged", Long.toString(expected.merged()))
        .containsEntry("superseded", Long.toString(expected.superseded()))
        .containsEntry("capped", Long.toString(expected.capped()))
        .containsEntry("expired", Long.toString(expected.expired()));
  }

  @Test
  void relevantMemory_readMoreThanThreeTimes_becomesLongTerm() {
    MemoryRecord often = world.remember(draft("often read").importance(0.9));
    MemoryRecord seldom = world.remember(draft("seldom read").importance(0.9));
    MemoryRecord trivial = world.remember(draft("trivial").importance(0.1));
    world.read(often.id(), 4);
    world.read(seldom.id(), 3);
    world.read(trivial.id(), 4);
    run(world, counts(3, 1, 0, 0, 0, 0, 0));

    assertThat(world.workspace.get(often.id()).lifetime()).isEqualTo(MemoryLifetime.LONG_TERM);
    assertThat(world.workspace.get(often.id()).use().count()).isEqualTo(4);
    assertThat(world.workspace.get(seldom.id()).lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
    assertThat(world.workspace.get(trivial.id()).lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
    run(world, counts(2, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void relevantPinnedMemory_readMoreThanThreeTimes_becomesLongTerm_andStaysPinned() {
    MemoryRecord pinned = world.remember(draft("often read").importance(0.9));
    world.memories.pin(pinned.id(), true);
    world.read(pinned.id(), 4);
    run(world, counts(1, 1, 0, 0, 0, 0, 0));

    assertThat(world.workspace.get(pinned.id()).lifetime()).isEqualTo(MemoryLifetime.LONG_TERM);
    assertThat(world.workspace.get(pinned.id()).pinned()).isTrue();
  }

  @Test
  void irrelevantShortTermMemory_isPruned_othersStay() {
    MemoryRecord old = world.remember("an old observation");
    MemoryRecord longTerm = world.remember(draft("an old fact").lifetime(MemoryLifetime.LONG_TERM));
    MemoryRecord pinned = world.remember("an old pin");
    world.memories.pin(pinned.id(), true);
    MemoryRecord preference =
        world.remember(draft("prefers tabs").kind(MemoryKind.PREFERENCE).importance(0));
    world.pass(Duration.ofDays(60));
    MemoryRecord fresh = world.remember("a new observation");
    run(world, counts(4, 0, 1, 0, 0, 0, 0));

    assertThat(world.has(old.id())).isFalse();
    for (MemoryRecord kept : List.of(longTerm, pinned, preference, fresh)) {
      assertThat(world.has(kept.id())).isTrue();
    }
    assertThat(world.workspace.tombstones().isForgotten(old.id())).isFalse();
  }

  @Test
  void equalTexts_withoutVectors_areMergedIntoTheNewest() {
    MemoryRecord referred = world.remember("referred");
    MemoryRecord older =
        world.remember(
            draft("Use Kafka for events")
                .importance(0.8)
                .lifetime(MemoryLifetime.LONG_TERM)
                .tags(Set.of(new Tag("kafka")))
                .links(
                    new MemoryLinks(
                        List.of(referred.id()), List.of(TestEvents.id(START, 1)), List.of())));
    world.read(older.id(), 2);
    world.pass(Duration.ofHours(1));
    MemoryRecord newer =
        world.remember(
            draft("use Kafka for events")
                .importance(0.3)
                .tags(Set.of(new Tag("events")))
                .links(
                    new MemoryLinks(
                        List.of(older.id()), List.of(TestEvents.id(START, 2)), List.of())));
    world.read(newer.id(), 1);
    run(world, counts(2, 0, 0, 1, 0, 0, 0));

    MemoryRecord survivor = world.workspace.get(older.id());
    assertThat(survivor.id()).isEqualTo(newer.id());
    assertThat(survivor.content()).isEqualTo(newer.content());
    assertThat(survivor.importance()).isEqualTo(0.8);
    assertThat(survivor.lifetime()).isEqualTo(MemoryLifetime.LONG_TERM);
    assertThat(survivor.tags()).containsExactlyInAnyOrder(new Tag("kafka"), new Tag("events"));
    assertThat(survivor.links())
        .isEqualTo(
            new MemoryLinks(
                List.of(referred.id()),
                List.of(TestEvents.id(START, 2), TestEvents.id(START, 1)),
                List.of()));
    assertThat(survivor.use().count()).isEqualTo(3);
    assertThat(survivor.validity().validFrom()).isEqualTo(START);
    assertThat(survivor.validity().created()).isEqualTo(newer.validity().created());
    assertThat(world.has(older.id())).isFalse();
    world.workspace.flush();
    world.open();
    assertThat(world.workspace.get(older.id())).isEqualTo(survivor);
  }

  @Test
  void otherWordsOfChoosing_areMergedOnlyIfVectorsAreNearer() {
    MemoryRecord one = world.remember("We decided to use Kafka 3");
    MemoryRecord other = world.remember("Let's use Kafka 3");
    run(world, counts(2, 0, 0, 0, 0, 0, 0));
    world.point(one.id(), 1);
    world.point(other.id(), 0.94);
    run(world, counts(2, 0, 0, 0, 0, 0, 0));
    world.point(other.id(), 0.96);
    run(world, counts(2, 0, 0, 1, 0, 0, 0));

    assertThat(world.workspace.get(one.id()).id()).isEqualTo(other.id());
  }

  @Test
  void statementsThatDiffer_areNeverMerged() {
    world.supersession = (_, _, _) -> false;
    for (String text :
        List.of(
            "Use PostgreSQL 16 for orders",
            "Use PostgreSQL 17 for orders",
            "Use MySQL 16 for orders",
            "Do not use PostgreSQL 16 for orders",
            "Timeout is 5 s",
            "Timeout is 5 ms",
            "Release on 2026-01-02",
            "Release on 2026-01-03",
            "Иван",
            "Ivan")) {
      world.point(world.remember(text).id(), 1);
    }
    run(world, counts(10, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void memories_ofOtherScopesKindsOrStructures_areNotMerged() {
    world.remember("text");
    world.remember(draft("text").place(MemoryPlace.channel(new ChannelName("a"))));
    world.remember(draft("text").place(MemoryPlace.channel(new ChannelName("b"))));
    world.remember(draft("text").kind(MemoryKind.DECISION));
    world.remember(
        MemoryDraft.builder(new MemoryContent("text b", Optional.of("{\"timeout\":1}"))));
    world.remember(
        MemoryDraft.builder(new MemoryContent("text b", Optional.of("{\"timeout\":2}"))));
    MemoryRecord pinned = world.remember("text c");
    world.memories.pin(pinned.id(), true);
    world.remember("text c");
    run(world, counts(8, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void structuredContent_ofAMergedMemory_isKept() {
    MemoryRecord older =
        world.remember(
            MemoryDraft.builder(new MemoryContent("text", Optional.of("{\"why\":\"speed\"}"))));
    world.pass(Duration.ofSeconds(1));
    world.remember("text");
    run(world, counts(2, 0, 0, 1, 0, 0, 0));

    assertThat(world.workspace.get(older.id()).content().json()).contains("{\"why\":\"speed\"}");
  }

  @Test
  void account_isMergedByTextOnly_inItsOwnStore() {
    MemoryRecord one = world.remember(draft("prefers dark").place(MemoryPlace.account()));
    world.remember(draft("Prefers dark").place(MemoryPlace.account()));
    world.remember("prefers dark");
    run(world, counts(3, 0, 0, 1, 0, 0, 0));

    assertThat(world.account.entries()).hasSize(1);
    assertThat(world.account.has(one.id())).isTrue();
    assertThat(world.workspace.entries()).hasSize(1);
    assertThat(world.upkeep.log(PageRequest.first()).items()).hasSize(1);
  }

  @Test
  void laterContradiction_supersedesTheEarlierStatement_fromItsTimeOn() {
    // Without a verb, so that the rules for new memories leave them alone.
    MemoryRecord earlier =
        world.remember(draft("Broker of events: Kafka 3").kind(MemoryKind.DECISION));
    world.pass(Duration.ofHours(1));
    MemoryRecord later =
        world.remember(draft("Broker of events: Kafka 4").kind(MemoryKind.DECISION));
    world.pass(Duration.ofHours(1));
    MemoryRecord again =
        world.remember(draft("Broker of events: Kafka 3").kind(MemoryKind.DECISION));
    for (MemoryRecord memory : List.of(earlier, later, again)) {
      world.point(memory.id(), 0.99);
    }
    world.supersession = (one, other, _) -> !one.text().equals(other.text());
    run(world, counts(3, 0, 0, 0, 2, 0, 0));

    MemoryRecord replaced = world.workspace.get(earlier.id());
    assertThat(replaced.validity().supersededBy()).contains(later.id());
    assertThat(replaced.validity().supersededAt()).contains(later.validity().validFrom());
    assertThat(world.workspace.get(later.id()).validity().supersededBy()).contains(again.id());
    assertThat(world.workspace.get(again.id()).isSuperseded()).isFalse();
  }

  @Test
  void supersession_byAMemoryThatWasDeletedOrChangedSince_isLeftOut() {
    MemoryRecord earlier =
        world.remember(draft("Broker of events: Kafka 3").kind(MemoryKind.DECISION));
    List<MemoryRecord> later =
        Stream.of("Kafka 4", "Kafka 5", "Kafka 6")
            .map(broker ->
                world.remember(draft("Broker of events: " + broker).kind(MemoryKind.DECISION)))
            .toList();
    List<UpkeepStep> planned =
        later.stream()
            .<UpkeepStep>map(by -> new UpkeepStep.Superseded(entry(earlier), entry(by)))
            .toList();
    world.memories.delete(Deletion.of(later.getFirst().id()), /* preview= */ false);
    world.memories.update(
        later.get(1).id(),
        MemoryUpdate.NONE.withContent(MemoryContent.of("Broker of events: Pulsar")));

    assertThat(write(planned.getFirst())).isEmpty();
    assertThat(write(planned.get(1))).isEmpty();
    assertThat(world.workspace.get(earlier.id()).isSuperseded()).isFalse();
    assertThat(write(planned.getLast())).isPresent();
    assertThat(world.workspace.get(earlier.id()).validity().supersededBy())
        .contains(later.getLast().id());
  }

  @Test
  void removal_ofAMemoryWhoseVectorHasArrivedSince_isDone() {
    MemoryRecord memory = world.remember("text");
    var planned = new UpkeepStep.Removed(entry(memory), UpkeepStep.Cause.PRUNED);
    world.point(memory.id(), 1);

    assertThat(entry(memory).vector()).isPresent();
    assertThat(write(planned)).isPresent();
    assertThat(world.has(memory.id())).isFalse();
  }

  private MemoryEntry entry(MemoryRecord memory) {
    return world.workspace.table().entry(memory.id()).orElseThrow();
  }

  private Optional<UpkeepRun> write(UpkeepStep step) {
    return new RunWriter(
            world.services().system(),
            world.workspace,
            UpkeepRun.CONSOLIDATION,
            Optional.empty(),
            RunWriter.PartLimits.DEFAULT)
        .write(new UpkeepPlan(1, List.of(step)));
  }

  @Test
  void supersession_asksOnlyForNearPairs() {
    MemoryRecord one = world.remember("We use Kafka 3");
    MemoryRecord other = world.remember("We use Kafka 4");
    world.point(one.id(), 1);
    world.point(other.id(), 0.94);
    world.supersession = (_, _, _) -> true;
    run(world, counts(2, 0, 0, 0, 0, 0, 0));
    world.point(other.id(), 0.96);
    run(world, counts(2, 0, 0, 0, 1, 0, 0));
  }

  @Test
  void scopeOverItsCap_losesTheLeastRelevant_exceptPinnedOnesAndPreferences() {
    var small = new UpkeepWorld(Map.of("recall.scope_cap", "3"));
    MemoryRecord pinned = small.remember(draft("pinned").importance(0));
    small.memories.pin(pinned.id(), true);
    MemoryRecord preference =
        small.remember(draft("preference").kind(MemoryKind.PREFERENCE).importance(0));
    MemoryRecord low =
        small.remember(draft("low").importance(0.2).lifetime(MemoryLifetime.LONG_TERM));
    MemoryRecord middle = small.remember(draft("middle").importance(0.5));
    MemoryRecord high = small.remember(draft("high").importance(0.9));
    MemoryRecord elsewhere =
        small.remember(draft("low").place(MemoryPlace.channel(new ChannelName("a"))));
    run(small, counts(5, 0, 0, 0, 0, 2, 0));

    assertThat(small.has(low.id())).isFalse();
    assertThat(small.has(middle.id())).isFalse();
    for (MemoryRecord kept : List.of(pinned, preference, high, elsewhere)) {
      assertThat(small.has(kept.id())).isTrue();
    }
  }

  @Test
  void cap_countsAfterMerging_andTakesMergedOnesByTheirSum() {
    var small = new UpkeepWorld(Map.of("recall.scope_cap", "1"));
    MemoryRecord merged = small.remember(draft("twice").importance(0.2));
    MemoryRecord survivor = small.remember(draft("twice").importance(0.1));
    MemoryRecord high = small.remember(draft("high").importance(0.9));
    var before = small.digest();
    run(small, counts(3, 0, 0, 1, 0, 1, 0));
    assertThat(small.has(high.id())).isTrue();
    assertThat(small.workspace.has(survivor.id())).isFalse();
    assertThat(small.workspace.has(merged.id())).isFalse();

    assertThat(small.upkeep.undo(small.lastRun()).undone()).isPresent();
    assertThat(small.digest()).isEqualTo(before);
  }

  @Test
  void write_exemptOnesFillTheCap_isRefusedWithTheFigures() {
    var small = new UpkeepWorld(Map.of("recall.scope_cap", "2"));
    for (int i = 0; i < 2; i++) {
      small.remember(draft("prefers " + i).kind(MemoryKind.PREFERENCE));
    }
    assertThatThrownBy(() -> small.remember("one more"))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED))
        .hasMessageContaining("has 2 memories")
        .hasMessageContaining("recall.scope_cap is 2");
  }

  @Test
  void memoriesOfAConversation_leaveAfterItsEnd_andAfterALastExtraction() {
    SessionId other = new SessionId("s2");
    MemoryRecord mine = world.remember(draft("a").place(MemoryPlace.conversation(SESSION)));
    MemoryRecord pinned = world.remember(draft("b").place(MemoryPlace.conversation(SESSION)));
    world.memories.pin(pinned.id(), true);
    MemoryRecord ofWorkspace =
        world.remember(draft("c").place(MemoryPlace.WORKSPACE.from(SESSION)));
    MemoryRecord active = world.remember(draft("d").place(MemoryPlace.conversation(other)));
    MemoryRecord longTerm =
        world.remember(
            draft("e").place(MemoryPlace.conversation(SESSION)).lifetime(MemoryLifetime.LONG_TERM));
    MemoryRecord preference =
        world.remember(
            draft("f").place(MemoryPlace.conversation(SESSION)).kind(MemoryKind.PREFERENCE));
    world.ends.put(SESSION, START.plus(Duration.ofHours(1)));
    run(world, counts(5, 0, 0, 0, 0, 0, 0));
    assertThat(world.extracted).isEmpty();

    world.pass(Duration.ofHours(1));
    world.unextracted.add(SESSION);
    assertThat(world.upkeep.run()).containsEntry("expired", "0");
    world.unextracted.clear();
    run(world, counts(5, 0, 0, 0, 0, 0, 3));
    assertThat(world.extracted).containsExactly(SESSION, SESSION);
    for (MemoryRecord gone : List.of(mine, longTerm, preference)) {
      assertThat(world.has(gone.id())).isFalse();
    }
    for (MemoryRecord kept : List.of(pinned, ofWorkspace, active)) {
      assertThat(world.has(kept.id())).isTrue();
    }
  }

  @Test
  void endedConversationWithUnreadEvents_isExtracted_alsoWithoutMemories() {
    SessionId left = new SessionId("s2");
    world.due.addAll(List.of(SESSION, left));
    world.left.add(left);
    var _ = world.upkeep.run();

    assertThat(world.extracted).containsExactly(left);
  }

  @Test
  void preview_namesTheFirstHundredMemories_andWhatWouldBecomeOfThem() {
    MemoryRecord often = world.remember(draft("often read").importance(0.9));
    world.read(often.id(), 4);
    MemoryRecord older = world.remember("The port is 8080");
    world.pass(Duration.ofSeconds(1));
    world.remember("the port is 8080");
    assertThat(world.upkeep.preview().first())
        .containsExactlyInAnyOrder(
            new ConsolidationPreview.Planned(often.id(), "promoted"),
            new ConsolidationPreview.Planned(older.id(), "merged"));

    for (int i = 0; i < 150; i++) {
      world.remember(draft("note " + i).importance(0.001));
    }
    assertThat(world.upkeep.preview().counts().pruned()).isEqualTo(150);
    assertThat(world.upkeep.preview().first())
        .hasSize(100)
        .extracting(ConsolidationPreview.Planned::change)
        .containsOnly("pruned");
  }

  @Test
  void run_withoutTheAccount_leavesItAlone() {
    world.remember(draft("prefers dark").place(MemoryPlace.account()));
    world.remember(draft("Prefers dark").place(MemoryPlace.account()));
    world.remember("text");
    assertThat(world.upkeep.run(/* withAccount= */ false))
        .containsEntry("scored", "1")
        .containsEntry("merged", "0");
    assertThat(world.account.entries()).hasSize(2);
  }

  @Test
  void runWithoutChanges_isNoEntryOfTheLog() {
    world.remember("text");
    run(world, counts(1, 0, 0, 0, 0, 0, 0));
    assertThat(world.upkeep.log(PageRequest.first()).items()).isEmpty();
    assertThat(world.logRows()).isZero();
  }

  @Test
  void preview_changesNothing() {
    world.remember("text");
    world.remember("text");
    var before = world.digest();
    assertThat(world.upkeep.preview().counts().merged()).isEqualTo(1);
    assertThat(world.digest()).isEqualTo(before);
    assertThat(world.logRows()).isZero();
  }
}
