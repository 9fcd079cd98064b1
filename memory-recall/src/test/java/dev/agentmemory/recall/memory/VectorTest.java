package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryRecord.EmbeddingState;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VectorTest {

  private final RecallWorld world = new RecallWorld();

  private EmbeddingState state(MemoryRecord memory) {
    return world.memories.get(memory.id()).embedding();
  }

  @Test
  void pending_areEmbeddedInBatchesOf50_theLatestFirst_untilNoneIsLeft() {
    world.memories.remember(
        IntStream.range(0, 120).mapToObj(i -> MemoryDraft.of("text " + i)).toList());
    assertThat(world.workspace.pendingVectors()).isEqualTo(120);

    assertThat(world.workspace.embedPending()).isEqualTo(50);
    assertThat(world.embedder.embedded).startsWith("text 119", "text 118").hasSize(50);
    assertThat(world.workspace.embedPending()).isEqualTo(50);
    assertThat(world.workspace.embedPending()).isEqualTo(20);
    assertThat(world.workspace.embedPending()).isZero();
    assertThat(world.workspace.pendingVectors()).isZero();
    assertThat(world.embedder.embedded).hasSize(120).doesNotHaveDuplicates();
  }

  @Test
  void vector_isThereInANewProcess() {
    MemoryRecord memory = world.remember("text");
    assertThat(state(memory)).isEqualTo(EmbeddingState.PENDING);
    world.embedAll();
    assertThat(state(memory)).isEqualTo(EmbeddingState.READY);
    String revision = world.store.records().record("meta:recall").orElseThrow();
    world.reopen();

    assertThat(state(memory)).isEqualTo(EmbeddingState.READY);
    assertThat(world.workspace.embedPending()).isZero();
    assertThat(world.store.records().record("meta:recall"))
        .as("a vector does not change what the word index contains")
        .contains(revision);
  }

  @Test
  void withoutAProvider_nothingIsEmbedded() {
    MemoryRecord memory = world.remember("text");
    world.embedder.use(Optional.empty());

    assertThat(world.workspace.embedPending()).isZero();
    assertThat(world.workspace.pendingVectors()).isZero();
    assertThat(state(memory)).isEqualTo(EmbeddingState.NONE);
    assertThat(world.remember("another").embedding()).isEqualTo(EmbeddingState.NONE);
    world.embedder.use(Optional.of("m"));
    assertThat(state(memory)).isEqualTo(EmbeddingState.PENDING);
    world.embedAll();
    world.embedder.use(Optional.empty());
    assertThat(state(memory)).isEqualTo(EmbeddingState.READY);
  }

  /// What is passed over because it is damaged is counted on the thread of a call, so words are
  /// matched there.
  @Test
  void search_beginsToAskTheModel_andLooksUpWordsOnItsOwnThread() {
    world.remember("kafka");
    world.embedAll();
    List<String> order = new ArrayList<>();
    world.embedder.during(() -> order.add("model"));
    world.words.whileMatching(() -> order.add(Thread.currentThread().getName()));

    assertThat(world.texts("kafka")).containsExactly("kafka");
    assertThat(order).containsExactly("model", Thread.currentThread().getName());
  }

  @Test
  void memoryThatWaitsForAVector_isReported_andAnAccessIsNot() {
    var reports = new AtomicInteger();
    world.workspace.whenUnembedded(reports::incrementAndGet);
    world.remember("kafka");
    assertThat(reports).hasValue(1);

    world.embedAll();
    assertThat(world.texts("kafka")).containsExactly("kafka");
    assertThat(reports).hasValue(1);
  }

  @Test
  void anotherModel_makesAllPendingAgain() {
    MemoryRecord memory = world.remember("kafka");
    world.embedAll();
    world.embedder.use(Optional.of("other"));
    assertThat(state(memory)).isEqualTo(EmbeddingState.PENDING);
    var asked = new AtomicInteger();
    world.embedder.during(asked::incrementAndGet);
    assertThat(world.memories.search(MemorySearch.of("kafka")).textOnly()).isTrue();
    assertThat(asked).as("no vector could be compared with that of the query").hasValue(0);

    assertThat(world.workspace.embedPending()).isEqualTo(1);
    assertThat(state(memory)).isEqualTo(EmbeddingState.READY);
  }

  @Test
  void searchByWords_usesNoVectorsAndAsksNoModel() {
    world.embedder.point("lorries", 1);
    world.embedder.point("trucks", 0.8);
    world.remember("lorries");
    world.embedAll();
    assertThat(world.texts("trucks")).containsExactly("lorries");

    world.embedder.fail(true);
    MemoryAnswer answer = world.memories.searchByWords(MemorySearch.of("trucks"));
    assertThat(answer.hits()).isEmpty();
    assertThat(answer.textOnly()).isTrue();
  }

  @Test
  void accountMemories_getNoVector() {
    MemoryRecord memory = world.remember(draft("tabs").place(MemoryPlace.account()));

    assertThat(memory.embedding()).isEqualTo(EmbeddingState.NONE);
    assertThat(world.account.embedPending()).isZero();
    assertThat(world.account.pendingVectors()).isZero();
    world.reopen();
    assertThat(state(memory)).isEqualTo(EmbeddingState.NONE);
    assertThat(world.embedder.embedded).isEmpty();
  }

  @Test
  void modelUnavailable_isToldToTheCaller_andNothingIsLost() {
    MemoryRecord memory = world.remember("text");
    world.embedder.fail(true);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(world.workspace::embedPending)
        .matches(refused -> refused.code().kind() == ErrorCode.Kind.UNAVAILABLE);
    assertThat(state(memory)).isEqualTo(EmbeddingState.PENDING);
  }

  @Test
  void memoryThatChangesWhileTheModelIsAsked_keepsNoVectorOfItsFormerText() {
    MemoryRecord changed = world.remember("one");
    MemoryRecord deleted = world.remember("two");
    MemoryRecord kept = world.remember("three");
    world.embedder.during(() -> {
      world.update(changed.id(), update -> update.withContent(MemoryContent.of("other")));
      world.memories.delete(Deletion.of(deleted.id()), false);
      world.memories.pin(kept.id(), true);
    });

    assertThat(world.workspace.embedPending()).isEqualTo(1);
    assertThat(state(changed)).isEqualTo(EmbeddingState.PENDING);
    assertThat(state(kept)).isEqualTo(EmbeddingState.READY);
    assertThat(world.store.records().records("vector:", Optional.empty(), 9)).hasSize(1);
  }

  @Test
  void unreadableMemory_doesNotStopTheOthers() {
    MemoryRecord damaged = world.remember("one");
    MemoryRecord good = world.remember("two");
    world.damage(damaged.id());

    assertThat(world.workspace.embedPending()).isEqualTo(1);
    assertThat(state(good)).isEqualTo(EmbeddingState.READY);
    assertThat(world.workspace.embedPending()).isZero();
    assertThat(List.copyOf(world.embedder.embedded)).containsExactly("two");
  }
}
