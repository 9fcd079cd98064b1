package dev.agentmemory.recall.upkeep;

import static dev.agentmemory.recall.upkeep.UpkeepWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedPreferencesTest {

  private static final WorkspaceName OTHER = new WorkspaceName("other");

  private final UpkeepWorld world = new UpkeepWorld();
  private final MemoryCollection other = world.another();

  private static MemoryDraft.Builder preference(String text) {
    return draft(text).kind(MemoryKind.PREFERENCE);
  }

  private void rememberElsewhere(MemoryDraft.Builder draft) {
    assertThat(other.addMissing(List.of(draft.build()))).hasSize(1);
  }

  private int shareElsewhere() {
    return new SharedPreferences(OTHER, other, AccountMemories.of(Optional.of(world.account)))
        .share();
  }

  private List<MemoryRecord> account() {
    return world.account.entries().stream()
        .flatMap(entry -> world.account.read(entry).stream())
        .toList();
  }

  private List<StoredRecord> noted() {
    return world.accountStore.records().records("stated:", Optional.empty(), 100);
  }

  @Test
  void preferenceOfTwoWorkspaces_becomesOneOfTheAccount() {
    world.remember(preference("I prefer tabs.").importance(0.4));
    rememberElsewhere(
        preference("I prefer tabs").importance(0.8).tags(Set.of(new Tag("billing.secret"))));
    assertThat(world.upkeep.run()).containsEntry("shared", "0");
    assertThat(account()).isEmpty();

    assertThat(shareElsewhere()).isEqualTo(1);
    assertThat(account())
        .singleElement()
        .satisfies(memory -> {
          assertThat(memory.content()).isEqualTo(MemoryContent.of("I prefer tabs"));
          assertThat(memory.place()).isEqualTo(MemoryPlace.account());
          assertThat(memory.kind()).isEqualTo(MemoryKind.PREFERENCE);
          assertThat(memory.source()).isEqualTo("consolidation");
          assertThat(memory.importance()).isEqualTo(0.8);
          assertThat(memory.tags()).isEmpty();
        });
    assertThat(world.upkeep.run()).containsEntry("shared", "0");
    assertThat(shareElsewhere()).isZero();
    assertThat(account()).hasSize(1);
  }

  private List<StoredRecord> rowsOfAccount() {
    return world.accountStore.records().records("", Optional.empty(), 100);
  }

  @Test
  void preview_countsWhatARunWouldShare_andWritesNothing() {
    rememberElsewhere(preference("I prefer tabs."));
    rememberElsewhere(preference("I like tea."));
    world.remember(preference("I prefer tabs"));
    assertThat(world.upkeep.preview().shared()).as("nobody has noted it").isZero();
    assertThat(rowsOfAccount()).isEmpty();

    assertThat(shareElsewhere()).isZero();
    List<StoredRecord> before = rowsOfAccount();
    assertThat(world.upkeep.preview().shared()).isEqualTo(1);
    assertThat(rowsOfAccount()).isEqualTo(before);
    assertThat(world.upkeep.run()).containsEntry("shared", "1");
    assertThat(world.upkeep.preview().shared()).isZero();
  }

  @Test
  void preview_preferenceThatTheRunReplaces_isNotCounted() {
    // Without a verb, so that the rules for new memories leave them alone.
    String former = "Broker of events: Kafka 3";
    rememberElsewhere(preference(former));
    assertThat(shareElsewhere()).isZero();
    MemoryRecord earlier = world.remember(preference(former));
    world.pass(Duration.ofHours(1));
    MemoryRecord later = world.remember(preference("Broker of events: Kafka 4"));
    world.point(earlier.id(), 0.99);
    world.point(later.id(), 0.99);
    world.supersession = (one, other, _) -> !one.text().equals(other.text());

    assertThat(world.upkeep.preview().counts().superseded()).isEqualTo(1);
    assertThat(world.upkeep.preview().shared()).isZero();
    assertThat(world.upkeep.run()).containsEntry("shared", "0");
  }

  @Test
  void preview_preferenceThatWasDeletedFromTheAccount_isNotCounted() {
    MemoryRecord deleted =
        world.remember(preference("I prefer tabs.").place(MemoryPlace.account()));
    world.memories.delete(Deletion.of(deleted.id()), /* preview= */ false);
    rememberElsewhere(preference("I prefer tabs."));
    assertThat(shareElsewhere()).isZero();
    world.remember(preference("I prefer tabs."));

    assertThat(world.upkeep.preview().shared()).isZero();
    assertThat(world.upkeep.run()).containsEntry("shared", "0");
  }

  @Test
  void whatIsNoPreference_orIsReplaced_orOfASession_isNotNoted() {
    world.remember("I prefer tabs.");
    world.remember(
        preference("I like spaces.").place(MemoryPlace.conversation(UpkeepWorld.SESSION)));
    world.remember(draft("We use Kafka.").kind(MemoryKind.DECISION));
    world.upkeep.run();

    assertThat(noted()).isEmpty();
  }

  @Test
  void preferenceOfOneWorkspace_isNotedWithoutItsText() {
    world.remember(preference("I prefer tabs."));
    world.upkeep.run();

    assertThat(noted())
        .singleElement()
        .satisfies(row -> assertThat(row.key() + row.value()).doesNotContain("tabs"));
  }

  @Test
  void preferenceThatIsNoLongerStated_doesNotCount() {
    MemoryRecord memory = world.remember(preference("I prefer tabs."));
    world.upkeep.run();
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);
    world.upkeep.run();
    assertThat(noted()).isEmpty();

    rememberElsewhere(preference("I prefer tabs."));
    assertThat(shareElsewhere()).isZero();
    assertThat(account()).isEmpty();
  }

  @Test
  void workspaceThatIsDeleted_doesNotCount() {
    world.remember(preference("I prefer tabs."));
    world.upkeep.run();
    SharedPreferences.forget(UpkeepWorld.NAME, world.account);
    assertThat(noted()).isEmpty();

    rememberElsewhere(preference("I prefer tabs."));
    assertThat(shareElsewhere()).isZero();
    SharedPreferences.forget(UpkeepWorld.NAME, world.account);
    assertThat(noted()).hasSize(1);
  }

  @Test
  void memoryThatACallerDeletes_isNotMadeAgain() {
    world.remember(preference("I prefer tabs."));
    rememberElsewhere(preference("I prefer tabs."));
    world.upkeep.run();
    assertThat(shareElsewhere()).isEqualTo(1);
    world.memories.delete(Deletion.of(account().getFirst().id()), /* preview= */ false);

    assertThat(world.upkeep.run()).containsEntry("shared", "0");
    assertThat(shareElsewhere()).isZero();
    assertThat(account()).isEmpty();
  }

  @Test
  void memoryThatACallerChanges_isNotMadeAgain() {
    world.remember(preference("I prefer tabs."));
    rememberElsewhere(preference("I prefer tabs."));
    world.upkeep.run();
    assertThat(shareElsewhere()).isEqualTo(1);
    world.memories.update(
        account().getFirst().id(),
        MemoryUpdate.NONE.withContent(MemoryContent.of("I prefer tabs in Go.")));

    assertThat(shareElsewhere()).isZero();
    assertThat(account()).hasSize(1);
  }

  @Test
  void memoryThatTheAccountHas_isNotMadeTwice() {
    world.remember(preference("I prefer tabs.").place(MemoryPlace.account()));
    world.remember(preference("I prefer tabs."));
    rememberElsewhere(preference("I prefer tabs."));
    world.upkeep.run();

    assertThat(shareElsewhere()).isZero();
    assertThat(account()).hasSize(1);
    assertThat(noted()).singleElement().matches(row -> row.value().contains("\"made\":true"));
  }

  @Test
  void rowThatCannotBeRead_isWrittenAgain() {
    world.remember(preference("I prefer tabs."));
    world.upkeep.run();
    StoredRecord row = noted().getFirst();
    world.accountStore.commit(
        Commit.of(new Change.PutRecord(new StoredRecord(row.key(), "no JSON"))));

    world.upkeep.run();
    assertThat(noted()).containsExactly(row);
  }
}
