package dev.agentmemory.recall.upkeep;

import static dev.agentmemory.recall.upkeep.UpkeepWorld.SESSION;
import static dev.agentmemory.recall.upkeep.UpkeepWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RunUndoTest {

  private static final List<MemoryKind> KINDS = List.of(MemoryKind.values());

  private final UpkeepWorld world = new UpkeepWorld();

  /// @return what is stored before the run
  private List<StoredRecord> tenMemoriesThatOneRunWritesInParts() {
    for (int i = 0; i < 10; i++) {
      world.remember("text " + i);
    }
    world.parts = new RunWriter.PartLimits(3, 1 << 20);
    world.open();
    List<StoredRecord> before = world.digest();
    world.pass(Duration.ofDays(90));
    return before;
  }

  private MemoryRecord merge() {
    MemoryRecord older =
        world.remember(draft("text").importance(0.8).tags(Set.of(new Tag("older"))));
    world.pass(Duration.ofSeconds(1));
    world.remember(draft("text").importance(0.2).tags(Set.of(new Tag("newer"))));
    assertThat(world.upkeep.run()).containsEntry("merged", "1");
    return older;
  }

  private static void refused(ErrorCode code, String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  /// Uses with their ids, which an undo without reads in between restores, too.
  private static List<Object> uses(UpkeepWorld world) {
    List<Object> uses = new ArrayList<>();
    for (MemoryEntry entry : world.workspace.entries()) {
      uses.add(entry.id());
      uses.add(entry.use());
      uses.add(entry.vector().isPresent());
    }
    return uses;
  }

  @Seeds(40)
  void anyRun_undone_restoresTheDigestOfAllMemories(RandomGenerator random) {
    var any = new UpkeepWorld(Map.of("recall.scope_cap", "12", "recall.promote_relevance", "0.5"));
    any.parts = new RunWriter.PartLimits(1 + random.nextInt(5), 1 << 20);
    any.supersession =
        (one, other, _) -> Math.floorMod((one.text() + other.text()).hashCode(), 3) == 0;
    any.open();
    List<List<StoredRecord>> digests = new ArrayList<>();
    List<List<Object>> uses = new ArrayList<>();
    List<String> runs = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      if (round < 2) {
        for (int i = 0; i < 40; i++) {
          step(any, random);
        }
      }
      any.workspace.flush();
      digests.add(any.digest());
      uses.add(uses(any));
      ConsolidationCounts preview = any.upkeep.preview().counts();
      any.upkeep.run();
      boolean changed = preview.changes() > 0;
      runs.add(changed ? any.lastRun() : "");
      if (changed) {
        assertThat(any.upkeep.log(PageRequest.of(1)).items().getFirst().counts())
            .isEqualTo(preview);
      }
      if (round < 2) {
        // Only the last rounds are undone, without changes by callers between them.
        digests.clear();
        uses.clear();
        runs.clear();
      }
      any.pass(Duration.ofDays(random.nextInt(30)));
    }
    for (int round = runs.size() - 1; round >= 0; round--) {
      if (!runs.get(round).isEmpty()) {
        assertThat(any.upkeep.undo(runs.get(round)).undone()).isPresent();
      }
      assertThat(any.digest()).isEqualTo(digests.get(round));
      assertThat(uses(any)).isEqualTo(uses.get(round));
    }
    any.open();
    assertThat(uses(any)).isEqualTo(uses.getFirst());
  }

  private static void step(UpkeepWorld world, RandomGenerator random) {
    List<MemoryEntry> all = world.workspace.entries();
    world.pass(Duration.ofHours(random.nextInt(40)));
    if (all.isEmpty() || random.nextInt(2) == 0) {
      MemoryRecord made =
          world.remember(
              draft("text " + random.nextInt(8))
                  .kind(
                      random.nextInt(3) == 0
                          ? KINDS.get(random.nextInt(KINDS.size()))
                          : MemoryKind.OBSERVATION)
                  .importance(random.nextInt(11) / 10.0)
                  .tags(Set.of(new Tag("t" + random.nextInt(5))))
                  .place(
                      random.nextInt(4) == 0
                          ? MemoryPlace.conversation(SESSION)
                          : MemoryPlace.WORKSPACE.from(SESSION)));
      if (random.nextBoolean()) {
        world.point(made.id(), 0.9 + random.nextInt(11) / 100.0);
      }
      return;
    }
    MemoryEntry one = all.get(random.nextInt(all.size()));
    switch (random.nextInt(6)) {
      case 0 -> world.memories.pin(one.id(), random.nextInt(4) == 0);
      case 1 ->
          world.memories.update(
              one.id(),
              MemoryUpdate.NONE.withContent(MemoryContent.of("text " + random.nextInt(8))));
      case 2 -> world.memories.delete(Deletion.of(one.id()), /* preview= */ false);
      case 3 -> world.ends.put(SESSION, world.now.plus(Duration.ofHours(random.nextInt(100))));
      default -> world.read(one.id(), 1 + random.nextInt(6));
    }
  }

  @Test
  void undo_twice_changesNothing() {
    var _ = merge();
    ConsolidationEntry undone = world.upkeep.undo(world.lastRun());
    world.pass(Duration.ofDays(1));
    var after = world.digest();

    assertThat(world.upkeep.undo(undone.id())).isEqualTo(undone);
    assertThat(world.digest()).isEqualTo(after);
    assertThat(world.logRows()).isEqualTo(1);
  }

  @Test
  void undo_keepsAccessesSince_withoutThoseThatTheMergeHasAdded() {
    MemoryRecord older = world.remember("text");
    world.read(older.id(), 2);
    MemoryRecord newer = world.remember("text");
    world.upkeep.run();
    MemoryRecord survivor = world.workspace.get(older.id());
    world.read(survivor.id(), 3);
    world.upkeep.undo(world.lastRun());

    MemoryRecord other = survivor.id().equals(newer.id()) ? older : newer;
    assertThat(
            world.workspace.get(older.id()).use().count()
                + world.workspace.get(newer.id()).use().count())
        .isEqualTo(5);
    assertThat(world.workspace.get(other.id()).use().count())
        .isEqualTo(other.id().equals(older.id()) ? 2 : 0);
  }

  @Test
  void undo_survivorForgottenSince_bringsNoneOfItBack() {
    MemoryRecord older = merge();
    world.memories.delete(Deletion.of(older.id()), /* preview= */ false);
    world.upkeep.undo(world.lastRun());

    assertThat(world.workspace.entries()).isEmpty();
    assertThat(world.workspace.tombstones().isForgotten(older.id())).isTrue();
  }

  @Test
  void undo_textForgottenSince_staysAway() {
    MemoryRecord old = world.remember("my phone is 12345");
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "1");
    MemoryRecord again = world.remember("My phone is  12345");
    world.memories.delete(Deletion.of(again.id()), /* preview= */ false);
    world.upkeep.undo(world.lastRun());

    assertThat(world.has(old.id())).isFalse();
  }

  @Test
  void undo_memoryWhoseTombstoneWasImportedSince_staysAway() {
    MemoryRecord old = world.remember("my phone is 12345");
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "1");
    world.workspace.commit(
        new MemoryBatch()
            .bury(new Tombstone(old.id(), world.now, "deleted elsewhere", /* forgotten= */ true)));
    world.upkeep.undo(world.lastRun());

    assertThat(world.has(old.id())).isFalse();
  }

  @Test
  void undo_textForgottenBefore_comesBack() {
    MemoryRecord forgotten = world.remember("text");
    world.memories.delete(Deletion.of(forgotten.id()), /* preview= */ false);
    world.pass(Duration.ofSeconds(1));
    MemoryRecord wanted = world.remember("text");
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "1");
    world.upkeep.undo(world.lastRun());

    assertThat(world.has(wanted.id())).isTrue();
  }

  @Test
  void undo_memoryChangedSince_keepsTheChange_andTakesTheRunsFieldsBack() {
    MemoryRecord older = merge();
    MemoryRecord survivor = world.workspace.get(older.id());
    world.memories.update(
        survivor.id(),
        MemoryUpdate.NONE
            .withContent(MemoryContent.of("another text"))
            .withTags(Set.of(new Tag("older"), new Tag("newer"), new Tag("mine"))));
    world.upkeep.undo(world.lastRun());

    MemoryRecord reverted = world.workspace.get(survivor.id());
    assertThat(reverted.content().text()).isEqualTo("another text");
    assertThat(reverted.importance()).isEqualTo(0.2);
    assertThat(reverted.tags()).containsExactlyInAnyOrder(new Tag("newer"), new Tag("mine"));
    assertThat(world.workspace.get(older.id()).content().text()).isEqualTo("text");
    assertThat(world.memories.history(survivor.id()).states().getFirst().reason())
        .isEqualTo("undo");
  }

  @Test
  void undo_fieldSetByTheCallerSince_stays() {
    MemoryRecord older = merge();
    MemoryRecord survivor = world.workspace.get(older.id());
    world.memories.update(survivor.id(), MemoryUpdate.NONE.withImportance(0.7));
    world.upkeep.undo(world.lastRun());

    assertThat(world.workspace.get(survivor.id()).importance()).isEqualTo(0.7);
    assertThat(world.workspace.get(survivor.id()).tags()).containsExactly(new Tag("newer"));
  }

  @Test
  void undo_laterRunHasChangedTheSameMemories_isRefusedUntilThatIsUndone() {
    MemoryRecord older = merge();
    String first = world.lastRun();
    var merged = world.digest();
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "1");
    String second = world.lastRun();

    refused(ErrorCode.CONFLICT, "undo " + second + " first", () -> world.upkeep.undo(first));
    world.upkeep.undo(second);
    assertThat(world.digest()).isEqualTo(merged);
    world.upkeep.undo(first);
    assertThat(world.has(older.id())).isTrue();
    assertThat(world.workspace.entries()).hasSize(2);
  }

  @Test
  void undo_laterRunHasChangedOthers_isDone() {
    MemoryRecord older = merge();
    String first = world.lastRun();
    world.remember("other");
    world.remember("other");
    world.upkeep.run();
    world.upkeep.undo(first);

    assertThat(world.has(older.id())).isTrue();
    assertThat(world.workspace.entries()).hasSize(3);
  }

  @Test
  void runThatIsCutOff_isAnEntryOfWhatItDid_andCanBeUndone() {
    List<StoredRecord> before = tenMemoriesThatOneRunWritesInParts();
    world.store.refuseCommitsAfter(2, "the disk has failed");
    assertThatThrownBy(world.upkeep::run).isInstanceOf(MemoryException.class);
    world.store.takeCommits();
    world.open();

    assertThat(world.workspace.entries()).hasSize(4);
    ConsolidationEntry entry = world.upkeep.log(PageRequest.first()).items().getFirst();
    assertThat(entry.counts()).isEqualTo(new ConsolidationCounts(10, 0, 6, 0, 0, 0, 0));
    world.upkeep.undo(entry.id());
    assertThat(world.digest()).isEqualTo(before);
  }

  @Test
  void undo_ofARunThatIsBeingWritten_endsTheRun() {
    List<StoredRecord> before = tenMemoriesThatOneRunWritesInParts();
    var undone = new AtomicBoolean();
    // Runs after the first commit of the run.
    world.workspace.whenUnflushed(() -> {
      if (undone.compareAndSet(false, true)) {
        world.upkeep.undo(world.lastRun());
      }
    });
    world.upkeep.run();

    assertThat(undone).isTrue();
    assertThat(world.digest()).isEqualTo(before);
    ConsolidationEntry entry = world.upkeep.log(PageRequest.first()).items().getFirst();
    assertThat(entry.undone()).contains(world.now);
    assertThat(world.upkeep.undo(entry.id())).isEqualTo(entry);
  }

  @Test
  void undoThatIsCutOff_isFinishedByTheNextCall() {
    List<StoredRecord> before = tenMemoriesThatOneRunWritesInParts();
    world.upkeep.run();
    String run = world.lastRun();
    world.store.refuseCommitsAfter(2, "the disk has failed");
    assertThatThrownBy(() -> world.upkeep.undo(run)).isInstanceOf(MemoryException.class);
    world.store.takeCommits();
    world.open();
    assertThat(world.upkeep.log(PageRequest.first()).items().getFirst().undone()).isEmpty();
    assertThat(world.workspace.entries()).isNotEmpty().hasSizeLessThan(10);

    assertThat(world.upkeep.undo(run).undone()).contains(world.now);
    assertThat(world.digest()).isEqualTo(before);
  }

  @Test
  void undo_channelRenamedSince_bringsMemoriesBackUnderItsPresentName() {
    var server = new ChannelName("server");
    MemoryRecord old =
        world.remember(draft("text").place(MemoryPlace.channel(new ChannelName("backend"))));
    world.pass(Duration.ofDays(90));
    world.upkeep.run();
    world.renamed.put(new ChannelName("backend"), server);
    world.upkeep.undo(world.lastRun());

    assertThat(world.workspace.get(old.id()).place()).isEqualTo(MemoryPlace.channel(server));
  }

  @Test
  void undo_textForgottenSinceUnderTheChannelsNewName_staysAway() {
    var backend = new ChannelName("backend");
    var server = new ChannelName("server");
    MemoryRecord old =
        world.remember(draft("my phone is 12345").place(MemoryPlace.channel(backend)));
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "1");
    world.renamed.put(backend, server);
    MemoryRecord again =
        world.remember(draft("my phone is 12345").place(MemoryPlace.channel(server)));
    world.memories.delete(Deletion.of(again.id()), /* preview= */ false);
    world.upkeep.undo(world.lastRun());

    assertThat(world.has(old.id())).isFalse();
  }

  @Test
  void undo_ofTheAccount_isFoundInTheSameLog() {
    MemoryRecord one = world.remember(draft("text").place(MemoryPlace.account()));
    world.remember(draft("text").place(MemoryPlace.account()));
    var before = world.digest();
    world.upkeep.run();
    assertThat(world.account.entries()).hasSize(1);
    world.upkeep.undo(world.lastRun());

    assertThat(world.account.table().entry(one.id())).isPresent();
    assertThat(world.digest()).isEqualTo(before);
  }

  @Test
  void undo_formerStateThatCannotBeRead_restoresTheOthersAndFails() {
    MemoryRecord one = world.remember("one");
    MemoryRecord damaged = world.remember(draft("two").importance(0.31));
    MemoryRecord three = world.remember("three");
    world.pass(Duration.ofDays(90));
    assertThat(world.upkeep.run()).containsEntry("pruned", "3");
    world.damage(
        "run_rows:", row -> row.replace("\\\"importance\\\":0.31", "\\\"importance\\\":0.32"));
    String run = world.lastRun();

    refused(
        ErrorCode.CORRUPT_RECORD,
        "run " + run + " was undone, but for 1 memories",
        () -> world.upkeep.undo(run));
    assertThat(world.has(one.id())).isTrue();
    assertThat(world.has(damaged.id())).isFalse();
    assertThat(world.has(three.id())).isTrue();
    assertThat(world.upkeep.log(PageRequest.first()).items().getFirst().undone()).isPresent();
  }

  @Test
  void log_runThatCannotBeRead_isLeftOutAndCounted() {
    var _ = merge();
    String run = world.lastRun();
    for (String damaged : List.of("no json", "{\"schema_version\":1,\"id\":\"x\",\"counts\":{}}")) {
      world.damage("run:", _ -> damaged);
      assertThat(world.upkeep.log(PageRequest.first()).items()).isEmpty();
      refused(
          ErrorCode.CORRUPT_RECORD, "run " + run + " cannot be read", () -> world.upkeep.undo(run));
    }
    assertThat(world.workspace.unreadableRuns()).isEqualTo(1);
  }

  @Test
  void undo_unknownRun_isRefused() {
    refused(ErrorCode.INVALID_FIELD, "run_id", () -> world.upkeep.undo("x"));
    refused(
        ErrorCode.NOT_FOUND,
        "does not exist",
        () -> world.upkeep.undo("01KG7Z5P0X0000000000000001"));
  }

  @Test
  void log_isPaged_theLatestFirst() {
    for (int i = 0; i < 5; i++) {
      world.remember("text " + i);
      world.remember("text " + i);
      world.upkeep.run();
    }
    Page<ConsolidationEntry> first = world.upkeep.log(PageRequest.of(2));
    List<ConsolidationEntry> all = Page.stream(PageRequest.of(2), world.upkeep::log).toList();

    assertThat(first.items()).hasSize(2);
    assertThat(all).hasSize(5).isEqualTo(world.upkeep.log(PageRequest.first()).items());
    assertThat(all.stream().map(ConsolidationEntry::id).toList())
        .isSortedAccordingTo((a, b) -> b.compareTo(a));
    refused(
        ErrorCode.INVALID_TOKEN,
        "continuation_token",
        () -> world.upkeep.log(new PageRequest("x", 2)));
  }

  @Test
  void runs_afterTheClockWasSetBack_stayInOrder() {
    MemoryRecord older = merge();
    world.now = world.now.minus(Duration.ofHours(1));
    world.remember("other");
    world.remember("other");
    world.upkeep.run();

    assertThat(world.upkeep.log(PageRequest.first()).items().getFirst().time())
        .isEqualTo(world.now);
    assertThat(world.workspace.get(older.id()).lifetime()).isEqualTo(MemoryLifetime.SHORT_TERM);
  }
}
