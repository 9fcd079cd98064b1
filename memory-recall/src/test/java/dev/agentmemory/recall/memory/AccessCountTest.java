package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AccessCountTest {

  private final RecallWorld world = new RecallWorld();

  private MemoryUse use(MemoryRecord memory) {
    return world.workspace.get(memory.id()).use();
  }

  @Test
  void getAndSearch_count_onceACall() {
    MemoryRecord memory = world.remember("text");
    world.now = START.plusSeconds(1);
    assertThat(world.memories.get(memory.id()).use()).isEqualTo(MemoryUse.NEVER);
    world.now = START.plusSeconds(2);
    world.memories.search(MemorySearch.of("text"));

    assertThat(use(memory)).isEqualTo(new MemoryUse(Optional.of(START.plusSeconds(2)), 2));
  }

  @Test
  void listRelatedExplainPinHistoryAndUpdate_doNotCount() {
    MemoryRecord memory = world.remember("text");
    world.memories.list(MemoryFilter.NONE, PageRequest.first());
    world.memories.search(MemorySearch.of("text").explained());
    world.memories.related(memory.id(), 1);
    world.memories.history(memory.id());
    world.memories.pin(memory.id(), true);
    world.update(memory.id(), update -> update.withImportance(1));
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ true);

    assertThat(use(memory)).isEqualTo(MemoryUse.NEVER);
  }

  @Test
  void search_countsOnlyWhatIsShown() {
    MemoryRecord shown = world.remember(draft("same text").importance(0.9));
    MemoryRecord duplicate = world.remember(draft("Same text.").importance(0.8));
    MemoryRecord beyond = world.remember(draft("other text").importance(0.1));
    world.memories.search(MemorySearch.of("text").withLimit(1));

    assertThat(use(shown).count()).isEqualTo(1);
    assertThat(use(duplicate).count()).isZero();
    assertThat(use(beyond).count()).isZero();
  }

  @Test
  void counts_areWrittenByAFlush() {
    MemoryRecord memory = world.remember("text");
    MemoryRecord ofAccount = world.remember(draft("tabs").place(MemoryPlace.account()));
    world.memories.get(memory.id());
    world.memories.get(ofAccount.id());
    assertThat(world.store.records().records("use:", Optional.empty(), 9)).isEmpty();
    world.workspace.flush();
    world.account.flush();
    world.memories.get(memory.id());
    world.reopen();

    assertThat(use(memory)).isEqualTo(new MemoryUse(Optional.of(START), 1));
    assertThat(world.account.get(ofAccount.id()).use().count()).isEqualTo(1);
  }

  @Test
  void flush_writesOnlyWhatWasRead_andNothingTwice() {
    MemoryRecord memory = world.remember("text");
    world.remember("other");
    world.memories.get(memory.id());
    world.workspace.flush();
    assertThat(world.store.records().records("use:", Optional.empty(), 9)).hasSize(1);
    String revision = world.store.records().record("meta:recall").orElseThrow();
    world.store.refuseCommits("nothing is to be written");
    world.workspace.flush();
    world.store.takeCommits();

    assertThat(world.store.records().record("meta:recall")).contains(revision);
  }

  @Test
  void flush_thatFails_keepsTheCounts() {
    MemoryRecord memory = world.remember("text");
    world.memories.get(memory.id());
    world.store.refuseCommits("the disk is gone");
    assertThatExceptionOfType(MemoryException.class).isThrownBy(world.workspace::flush);
    world.store.takeCommits();
    world.workspace.flush();
    world.reopen();

    assertThat(use(memory).count()).isEqualTo(1);
  }

  @Test
  void flush_afterADeletion_bringsNothingBack() {
    MemoryRecord memory = world.remember("text");
    world.memories.get(memory.id());
    world.memories.delete(Deletion.of(memory.id()), false);
    world.workspace.flush();

    assertThat(world.store.records().records("use:", Optional.empty(), 9)).isEmpty();
  }

  @Test
  void flush_makesTheWordIndexDurable_whenNothingWasWrittenSinceTheLastOne() {
    var requests = new AtomicInteger();
    world.remember("text");
    world.workspace.whenUnflushed(requests::incrementAndGet);
    world.workspace.flush();
    assertThat(world.words.ids()).hasSize(1);
    assertThat(world.words.commits).isZero();
    assertThat(requests).hasValue(1);

    world.workspace.flush();
    assertThat(world.words.revision()).isEqualTo(world.workspace.rows().revision()).isEqualTo(1);
    world.workspace.flush();
    assertThat(world.words.commits).isEqualTo(1);
    assertThat(requests).hasValue(1);
  }

  @Test
  void flush_whileMemoriesAreWrittenAgainAndAgain_makesTheWordIndexDurableNowAndThen() {
    for (int i = 0; i < 25; i++) {
      assertThat(world.words.commits).isEqualTo(i / 10);
      world.remember("text " + i);
      world.workspace.flush();
    }
    assertThat(world.words.revision()).isEqualTo(20);
  }

  @Test
  void memoryThatIsWrittenDuringAFlush_waitsForNoIndex() {
    world.remember("kafka");
    world.workspace.flush();
    world.words.whileChanging(() -> rememberElsewhere("redis"));
    world.workspace.flush();
    assertThat(world.words.revision()).isEqualTo(1);

    world.workspace.flush();
    world.workspace.flush();
    assertThat(world.words.revision()).isEqualTo(world.workspace.rows().revision()).isEqualTo(2);
    assertThat(world.words.ids()).hasSize(2);
  }

  @Test
  void memoryThatIsWritten_whileMuchIsIndexed_doesNotWait() {
    world.words.whileChanging(() -> rememberElsewhere("redis"));
    world.memories.remember(
        IntStream.range(0, 256).mapToObj(i -> MemoryDraft.of("kafka " + i)).toList());

    assertThat(world.texts("redis")).hasSize(1);
    assertThat(world.words.ids()).hasSize(257);
  }

  /// Fails when the memory cannot be stored while the caller waits.
  private void rememberElsewhere(String text) {
    CompletableFuture.runAsync(() -> world.remember(text)).orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  void flush_beforeAnythingWasRead_readsNothing() {
    world.remember("text");
    world.reopen();
    world.store.close();
    world.workspace.flush();
  }

  @Test
  void close_writesTheCounts() {
    MemoryRecord memory = world.remember("text");
    world.memories.get(memory.id());
    world.workspace.close();
    world.reopen();
    assertThat(use(memory).count()).isEqualTo(1);
  }
}
