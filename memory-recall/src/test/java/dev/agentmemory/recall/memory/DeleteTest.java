package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.SECRET;
import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static dev.agentmemory.recall.memory.RecallWorld.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeleteTest {

  private final RecallWorld world = new RecallWorld();

  private List<String> texts() {
    return world.texts("");
  }

  private DeletionReport delete(Deletion deletion) {
    return world.memories.delete(deletion, /* preview= */ false);
  }

  private static Optional<Instant> at(int hours) {
    return Optional.of(START.minus(Duration.ofHours(hours)));
  }

  private List<String> keys() {
    return world.store.records().records("", Optional.empty(), 1000).stream()
        .map(StoredRecord::key)
        .toList();
  }

  /// The key of the first row of a kind.
  private String key(String kind) {
    return keys().stream().filter(key -> key.startsWith(kind)).findFirst().orElseThrow();
  }

  private boolean isForgotten(String text) {
    return world.workspace.tombstones().isForgotten(MemoryPlace.WORKSPACE, text);
  }

  /// Whether the statement `text` was deleted at a time or later.
  private boolean isTextForgottenSince(Instant time) {
    return world.workspace.tombstones().isForgottenSince(MemoryPlace.WORKSPACE, "text", time);
  }

  @Test
  void delete_byId_leavesATombstoneAndNothingElse() {
    MemoryRecord memory = world.remember("my secret plan");
    world.update(memory.id(), update -> update.withImportance(1));
    world.embedAll();
    world.memories.get(memory.id());
    world.workspace.flush();
    world.now = START.plusSeconds(60);

    DeletionReport report = delete(Deletion.of(memory.id()).because("no longer true"));

    assertThat(report.count()).isEqualTo(1);
    assertThat(report.first().getFirst().content().text()).isEqualTo("my secret plan");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.get(memory.id()))
        .matches(refused -> refused.code() == ErrorCode.NOT_FOUND);
    assertThat(texts()).isEmpty();
    assertThat(world.texts("plan")).isEmpty();
    assertThat(world.workspace.rows().tombstone(memory.id()))
        .contains(new Tombstone(memory.id(), START.plusSeconds(60), "no longer true", true));
    assertThat(keys().stream().map(key -> key.replaceAll(":.*", "")).distinct())
        .containsExactlyInAnyOrder("tombstone", "digest", "digest_times", "meta");
    assertThat(world.store.records().records("", Optional.empty(), 100).toString())
        .doesNotContain("plan");
  }

  @Test
  void delete_whatDoesNotExist_deletesNothing() {
    world.remember("text");
    assertThat(delete(Deletion.of(id(9))).count()).isZero();
    assertThat(delete(Deletion.ofTopic(tag("none"))).count()).isZero();
    assertThat(texts()).hasSize(1);
    assertThat(world.workspace.rows().tombstone(id(9))).isEmpty();
  }

  @Test
  void delete_byTopic_takesTheLevelsBelow() {
    world.remember(draft("one").tags(Set.of(tag("personal"))));
    world.remember(draft("two").tags(Set.of(tag("personal.health"), tag("x"))));
    world.remember(draft("three").tags(Set.of(tag("personality"))));

    assertThat(delete(Deletion.ofTopic(tag("personal"))).count()).isEqualTo(2);
    assertThat(texts()).containsExactly("three");
  }

  @Test
  void delete_byTime_includesTheBeginningOnly() {
    for (int hours = 0; hours < 5; hours++) {
      world.remember(draft("h" + hours).created(at(hours).orElseThrow()));
    }
    Deletion deletion = Deletion.between(at(3).orElseThrow(), at(1).orElseThrow());

    assertThat(delete(deletion).count()).isEqualTo(2);
    assertThat(texts()).containsExactlyInAnyOrder("h0", "h1", "h4");
  }

  @Test
  void delete_partsOfTheRequest_holdTogether() {
    world.remember(draft("both").tags(Set.of(tag("a"))).place(MemoryPlace.WORKSPACE.from(SESSION)));
    world.remember(draft("topic").tags(Set.of(tag("a"))));
    world.remember(draft("session").place(MemoryPlace.WORKSPACE.from(SESSION)));

    assertThat(delete(Deletion.ofTopic(tag("a")).ofSession(SESSION)).count()).isEqualTo(1);
    assertThat(texts()).containsExactlyInAnyOrder("topic", "session");
  }

  @Test
  void preview_tellsTheSame_andDeletesNothing() {
    List<MemoryDraft> drafts =
        IntStream.range(0, 120)
            .mapToObj(i -> draft("t" + i).tags(Set.of(tag("a"))).build())
            .toList();
    world.memories.remember(drafts);

    DeletionReport preview = world.memories.delete(Deletion.ofTopic(tag("a")), true);
    assertThat(preview.count()).isEqualTo(120);
    assertThat(preview.first()).hasSize(DeletionReport.SHOWN);
    assertThat(world.workspace.entries()).hasSize(120);
    assertThat(delete(Deletion.ofTopic(tag("a")))).isEqualTo(preview);
    assertThat(world.workspace.entries()).isEmpty();
  }

  @Test
  void delete_masksItsReason() {
    MemoryRecord memory = world.remember("text");
    delete(Deletion.of(memory.id()).because("said " + SECRET));
    assertThat(world.workspace.rows().tombstone(memory.id()).orElseThrow().reason())
        .isEqualTo("said [masked]");
  }

  @Test
  void forgotten_isTheTextOfTheMemory_alsoWhatItSaidBefore_inItsScope() {
    MemoryRecord memory = world.remember("We use Kafka");
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("We use Redis")));
    delete(Deletion.of(memory.id()));
    world.reopen();

    assertThat(world.workspace.tombstones().isForgotten(memory.id())).isTrue();
    assertThat(isForgotten("we use  redis")).isTrue();
    assertThat(isForgotten("We use Kafka")).isTrue();
    assertThat(isForgotten("We use Pulsar")).isFalse();
    assertThat(
            world
                .workspace
                .tombstones()
                .isForgotten(MemoryPlace.conversation(SESSION), "We use Redis"))
        .isFalse();
  }

  @Test
  void forgotten_inARowOfAnEarlierVersion_staysForgotten() {
    MemoryRecord memory = world.remember("text");
    delete(Deletion.of(memory.id()));
    world.store.commit(Commit.of(new Change.DropRecord(key("digest_times:"))));

    assertThat(isForgotten("text")).isTrue();
    assertThat(isTextForgottenSince(START)).isTrue();
    assertThat(isTextForgottenSince(START.plusSeconds(1))).isFalse();
  }

  @Test
  void forgotten_byAnEarlierVersionLater_isForgottenSinceThen() {
    delete(Deletion.of(world.remember("text").id()));
    String times = world.store.records().record(key("digest_times:")).orElseThrow();
    world.now = START.plusSeconds(60);
    delete(Deletion.of(world.remember("text").id()));
    world.damage(key("digest_times:"), _ -> times);

    assertThat(isTextForgottenSince(START.plusSeconds(1))).isTrue();
  }

  @Test
  void delete_ofTheSameTextAgain_leavesTheLatestIdAloneForEarlierVersions() {
    delete(Deletion.of(world.remember("text").id()));
    MemoryRecord later = world.remember("text");
    delete(Deletion.of(later.id()));

    assertThat(world.store.records().record(key("digest:"))).contains(later.id().value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"digest:", "digest_times:"})
  void forgotten_inARowThatCannotBeRead_appliesAlways_andCanBeDeletedAgain(String kind) {
    delete(Deletion.of(world.remember("text").id()));
    String key = key(kind);
    world.damage(key, row -> row.substring(1));

    assertThat(isTextForgottenSince(START.plus(Duration.ofDays(9)))).isTrue();
    assertThat(world.workspace.rows().unreadable().count()).isEqualTo(1);

    MemoryRecord again = world.remember("text");
    assertThat(delete(Deletion.of(again.id())).count()).isEqualTo(1);
    assertThat(texts()).isEmpty();
    assertThat(world.store.records().record(key).orElseThrow()).contains(again.id().value());
    assertThat(isTextForgottenSince(START)).isTrue();
    assertThat(isTextForgottenSince(START.plusSeconds(1)))
        .as("both rows can be read again")
        .isFalse();
  }

  @Test
  void forgotten_isAlsoWhatWasMergedIntoTheMemory() {
    world.remember(draft("we use kafka").id(id(1)));
    world.remember(draft("we do use kafka").id(id(2)));
    world.workspace.commit(new MemoryBatch().merge(world.workspace.get(id(1)), id(2)));
    world.reopen();
    assertThat(world.memories.get(id(1)).id()).isEqualTo(id(2));

    delete(Deletion.of(id(1)));

    assertThat(world.workspace.tombstones().isForgotten(id(1))).isTrue();
    assertThat(world.workspace.tombstones().isForgotten(id(2))).isTrue();
    assertThat(isForgotten("we use kafka")).isTrue();
    assertThat(isForgotten("we do use kafka")).isTrue();
    assertThat(keys()).noneMatch(key -> key.startsWith("merged:"));
  }

  @Test
  void dropped_byUpkeep_isNotForgotten_andCanBeRestored() {
    MemoryRecord memory = world.remember("text");
    world.workspace.commit(new MemoryBatch().drop(memory.id(), START, "pruned"));
    assertThat(world.workspace.has(memory.id())).isFalse();
    assertThat(world.workspace.tombstones().isForgotten(memory.id())).isFalse();
    assertThat(isForgotten("text")).isFalse();

    world.workspace.commit(new MemoryBatch().restore(memory));
    world.reopen();
    assertThat(world.memories.get(memory.id())).isEqualTo(memory);
    assertThat(world.workspace.rows().tombstone(memory.id())).isEmpty();
  }

  @Test
  void rowsOfADroppedMemory_bringItBackWithItsHistoryAndUse() {
    MemoryRecord first = world.remember("one");
    world.update(first.id(), update -> update.withContent(MemoryContent.of("two")));
    world.memories.get(first.id());
    world.workspace.flush();
    world.embedAll();
    MemoryRecord memory = world.workspace.get(first.id());
    List<StoredRecord> rows = world.workspace.rows().rowsOf(memory.id());
    assertThat(rows).hasSize(4);
    world.workspace.commit(new MemoryBatch().drop(memory.id(), START, "pruned"));
    assertThat(world.workspace.rows().rowsOf(memory.id())).isEmpty();

    world.workspace.commit(
        new MemoryBatch()
            .restore(memory)
            .use(memory.id(), memory.use())
            .with(rows.stream().<Change>map(Change.PutRecord::new).toList()));
    world.reopen();
    assertThat(world.workspace.get(memory.id())).isEqualTo(memory);
    assertThat(world.memories.history(memory.id()).states()).hasSize(1);
  }

  @Test
  void merged_canBeRestored() {
    MemoryRecord one = world.remember(draft("one").id(id(1)));
    world.remember(draft("two").id(id(2)));
    world.workspace.commit(new MemoryBatch().merge(one, id(2)));
    assertThat(world.memories.get(id(1)).id()).isEqualTo(id(2));
    assertThat(world.texts("one")).isEmpty();

    world.workspace.commit(new MemoryBatch().restore(one));
    assertThat(world.workspace.get(id(1))).isEqualTo(one);
    world.reopen();
    assertThat(world.workspace.get(id(1))).isEqualTo(one);
  }

  @Test
  void merged_historyAndUse_areWritten() {
    MemoryRecord one = world.remember(draft("one").id(id(1)));
    MemoryRecord two = world.remember(draft("two").id(id(2)));
    world.memories.get(id(1));
    world.workspace.commit(
        new MemoryBatch()
            .merge(one, id(2))
            .change(two, two.withPinned(true), START, "merge")
            .use(id(2), world.workspace.get(id(1)).use()));
    world.reopen();

    assertThat(world.workspace.get(id(2)).use().count()).isEqualTo(1);
    assertThat(world.memories.history(id(2)).states().getFirst().reason()).isEqualTo("merge");
  }

  @Test
  void delete_ofMany_takesThemAll() {
    for (int i = 0; i < 3; i++) {
      world.memories.remember(
          IntStream.range(0, 500)
              .mapToObj(at -> draft("t" + at).tags(Set.of(tag("a"))).build())
              .toList());
    }
    assertThat(delete(Deletion.ofTopic(tag("a"))).count()).isEqualTo(1500);
    assertThat(world.workspace.entries()).isEmpty();
    assertThat(world.words.ids()).isEmpty();
    world.reopen();
    assertThat(texts()).isEmpty();
  }

  @Test
  void failedDeletion_deletesNothing() {
    MemoryRecord memory = world.remember("text");
    world.store.refuseCommits("the disk is gone");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> delete(Deletion.of(memory.id())));
    world.store.takeCommits();
    assertThat(texts()).containsExactly("text");
  }

  @Test
  void delete_ofTheAccount_goesByIdOrTopic_notByTimeAlone() {
    MemoryId ofAccount =
        world.remember(draft("tabs").place(MemoryPlace.account()).tags(Set.of(tag("a")))).id();
    world.remember("of the workspace");

    assertThat(delete(Deletion.between(START, START.plusSeconds(1))).count()).isEqualTo(1);
    assertThat(texts()).containsExactly("tabs");
    assertThat(delete(Deletion.ofTopic(tag("a"))).count()).isEqualTo(1);
    assertThat(world.account.tombstones().isForgotten(ofAccount)).isTrue();
    assertThat(texts()).isEmpty();
  }
}
