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
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.recall.ByteQuota;
import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UpdateTest {

  private final RecallWorld world = new RecallWorld();

  private static void refuses(ErrorCode code, String message, Runnable call) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(call::run)
        .matches(refused -> refused.code() == code, code.name())
        .withMessageContaining(message);
  }

  @Test
  void update_changesWhatIsNamed_andKeepsTheFormerState() {
    MemoryRecord first = world.remember(draft("old").importance(0.3));
    world.now = START.plusSeconds(60);
    MemoryRecord second =
        world.update(
            first.id(),
            update -> update.withContent(MemoryContent.of("new")).withTags(Set.of(tag("a"))));
    world.now = START.plusSeconds(120);
    MemoryRecord third = world.update(first.id(), update -> update.withKind(MemoryKind.FINDING));
    world.reopen();

    assertThat(world.memories.get(first.id())).isEqualTo(third);
    assertThat(third.content().text()).isEqualTo("new");
    assertThat(third.importance()).isEqualTo(0.3);
    assertThat(third.validity().created()).isEqualTo(START);
    assertThat(third.validity().updated()).isEqualTo(START.plusSeconds(120));
    assertThat(world.memories.history(first.id()).states())
        .containsExactly(
            new MemoryState(second, START.plusSeconds(120), "update"),
            new MemoryState(first, START.plusSeconds(60), "update"));
    assertThat(world.texts("new")).containsExactly("new");
    assertThat(world.texts("old")).isEmpty();
  }

  @Test
  void update_thatChangesNothing_leavesNoState() {
    MemoryRecord memory = world.remember("text");
    world.now = START.plusSeconds(60);

    assertThat(world.memories.update(memory.id(), MemoryUpdate.NONE)).isEqualTo(memory);
    assertThat(world.update(memory.id(), update -> update.withImportance(0.5))).isEqualTo(memory);
    assertThat(world.memories.history(memory.id()).states()).isEmpty();
  }

  @Test
  void update_ofWhatIsNotThere_isNotFound() {
    refuses(
        ErrorCode.NOT_FOUND,
        "memory " + id(1),
        () -> world.update(id(1), update -> update.withImportance(1)));
    refuses(ErrorCode.NOT_FOUND, "memory " + id(1), () -> world.memories.history(id(1)));
    refuses(ErrorCode.NOT_FOUND, "memory " + id(1), () -> world.memories.pin(id(1), true));
    refuses(ErrorCode.NOT_FOUND, "memory " + id(1), () -> world.memories.get(id(1)));
    refuses(ErrorCode.NOT_FOUND, "memory " + id(1), () -> world.memories.related(id(1), 1));
  }

  @Test
  void update_isChecked() {
    MemoryRecord memory = world.remember("text");
    refuses(
        ErrorCode.INVALID_FIELD,
        "lifetime: is conversation",
        () ->
            world.update(memory.id(), update -> update.withLifetime(MemoryLifetime.CONVERSATION)));
    refuses(
        ErrorCode.INVALID_FIELD,
        "references: names " + id(9),
        () -> world.update(memory.id(), update -> update.withReferences(List.of(id(9)))));
    refuses(
        ErrorCode.INVALID_FIELD,
        "content: holds half",
        () -> world.update(memory.id(), update -> update.withContent(MemoryContent.of("\ud83d"))));
    assertThat(world.memories.get(memory.id()).content().text()).isEqualTo("text");
    assertThat(
            world
                .update(memory.id(), update -> update.withReferences(List.of(memory.id())))
                .links()
                .references())
        .containsExactly(memory.id());
  }

  @Test
  void reference_thatDangles_mayStayInAnUpdate() {
    MemoryRecord target = world.remember("target");
    MemoryRecord memory = world.remember("text");
    MemoryRecord other = world.remember("other");
    world.update(memory.id(), update -> update.withReferences(List.of(target.id())));
    world.memories.delete(Deletion.of(target.id()), false);

    assertThat(
            world
                .update(
                    memory.id(), update -> update.withReferences(List.of(target.id(), other.id())))
                .links()
                .references())
        .containsExactly(target.id(), other.id());
  }

  @Test
  void update_masksSecrets() {
    MemoryRecord memory = world.remember("text");
    MemoryRecord changed =
        world.update(
            memory.id(),
            update ->
                update
                    .withContent(MemoryContent.of("it is " + SECRET))
                    .withTags(Set.of(tag(SECRET))));
    assertThat(changed.content().text()).isEqualTo("it is [masked]");
    assertThat(changed.tags()).containsExactly(tag("masked"));
  }

  @Test
  void quota_concernsGrowthOnly() {
    MemoryRecord memory = world.remember(draft("text").place(MemoryPlace.WORKSPACE.from(SESSION)));
    world.budget = new ByteQuota(world.workspace.bytes(SESSION) - 1, _ -> 0);

    refuses(
        ErrorCode.QUOTA_EXCEEDED,
        "session s1",
        () -> world.update(memory.id(), update -> update.withContent(MemoryContent.of("text +"))));
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("t")));
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("u")));
  }

  @Test
  void cap_holdsForPinsAndForWhatBecomesAPreference() {
    var small = RecallWorld.with(Map.of("recall.scope_cap", "1"));
    MemoryRecord one = small.remember("one");
    MemoryRecord two = small.remember("two");
    small.memories.pin(one.id(), true);

    refuses(ErrorCode.QUOTA_EXCEEDED, "recall.scope_cap", () -> small.memories.pin(two.id(), true));
    refuses(
        ErrorCode.QUOTA_EXCEEDED,
        "recall.scope_cap",
        () -> small.update(two.id(), update -> update.withKind(MemoryKind.PREFERENCE)));
    small.update(one.id(), update -> update.withKind(MemoryKind.PREFERENCE));
    small.memories.pin(one.id(), false);
    refuses(ErrorCode.QUOTA_EXCEEDED, "recall.scope_cap", () -> small.memories.pin(two.id(), true));
    small.update(one.id(), update -> update.withKind(MemoryKind.FINDING));
    small.memories.pin(two.id(), true);
  }

  @Test
  void pin_isDurable_andLeavesNoState() {
    MemoryRecord memory = world.remember("text");
    MemoryRecord pinned = world.memories.pin(memory.id(), true);
    assertThat(pinned.pinned()).isTrue();
    assertThat(pinned.checksum()).isNotEqualTo(memory.checksum());
    assertThat(world.memories.pin(memory.id(), true)).isEqualTo(pinned);
    world.reopen();

    assertThat(world.memories.get(memory.id())).isEqualTo(pinned);
    assertThat(world.memories.pin(memory.id(), false))
        .isEqualTo(memory.withUse(world.memories.get(memory.id()).use()));
    assertThat(world.memories.history(memory.id()).states()).isEmpty();
  }

  @Test
  void vector_staysWhereTheStatementStays() {
    MemoryRecord memory = world.remember("We use Kafka");
    world.embedAll();
    assertThat(world.update(memory.id(), update -> update.withImportance(1)).embedding())
        .isEqualTo(EmbeddingState.READY);
    assertThat(
            world
                .update(memory.id(), update -> update.withContent(MemoryContent.of("We use Redis")))
                .embedding())
        .isEqualTo(EmbeddingState.PENDING);
    world.reopen();
    assertThat(world.memories.get(memory.id()).embedding()).isEqualTo(EmbeddingState.PENDING);
  }

  @Test
  void history_keepsTheLatest100States() {
    MemoryRecord memory = world.remember("state 0");
    int more = MemoryChanges.MAX_STATES + 5;
    for (int i = 1; i <= more; i++) {
      String text = "state " + i;
      world.update(memory.id(), update -> update.withContent(MemoryContent.of(text)));
    }
    List<MemoryState> history = world.memories.history(memory.id()).states();
    assertThat(history).hasSize(MemoryChanges.MAX_STATES);
    assertThat(history.getFirst().memory().content().text()).isEqualTo("state " + (more - 1));
    assertThat(history.getLast().memory().content().text())
        .isEqualTo("state " + (more - MemoryChanges.MAX_STATES));
  }

  @Test
  void failedUpdate_changesNothing() {
    MemoryRecord memory = world.remember("text");
    world.store.refuseCommits("the disk is gone");
    refuses(
        ErrorCode.STORAGE_FAILED,
        "the disk is gone",
        () -> world.update(memory.id(), update -> update.withContent(MemoryContent.of("new"))));
    world.store.takeCommits();
    assertThat(world.memories.get(memory.id()).content().text()).isEqualTo("text");
    assertThat(world.texts("text")).containsExactly("text");
  }
}
