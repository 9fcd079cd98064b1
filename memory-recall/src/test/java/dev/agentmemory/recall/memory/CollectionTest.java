package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.SESSION;
import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.recall.SessionUsage;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable.ScopeCount;
import dev.agentmemory.recall.internal.table.ScopeInstance;
import dev.agentmemory.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a collection keeps in the heap is what a new process reads.
class CollectionTest {

  private static final List<MemoryKind> KINDS = List.of(MemoryKind.values());
  private static final ChannelName BACKEND = new ChannelName("backend");
  private static final ChannelName SERVER = new ChannelName("server");

  private final RecallWorld world = new RecallWorld();

  /// All that can be asked of a collection, vectors aside, which have no equality.
  private static List<Object> state(MemoryCollection memories) {
    List<Object> state = new ArrayList<>();
    for (MemoryEntry entry : memories.entries()) {
      state.add(entry.withVector(Optional.empty()));
      state.add(entry.vector().isPresent());
      state.add(memories.get(entry.id()));
      state.add(memories.table().replacedBy(entry.id()));
      state.add(memories.table().mergedInto(entry.id()));
      state.add(memories.table().count(ScopeInstance.of(entry.place())));
    }
    state.add(memories.usage(SESSION));
    return state;
  }

  @Seeds(30)
  void anyOperations_leaveWhatANewProcessReads(RandomGenerator random) {
    for (int i = 0; i < 60; i++) {
      step(random, i);
    }
    world.workspace.flush();
    List<Object> before = state(world.workspace);
    List<String> found = world.texts(search());
    world.reopen();

    assertThat(state(world.workspace)).isEqualTo(before);
    assertThat(world.texts(search())).isEqualTo(found);
    assertThat(world.words.ids())
        .isEqualTo(world.workspace.entries().stream().map(MemoryEntry::id).sorted().toList());
  }

  private static MemorySearch search() {
    return MemorySearch.of("text").withLimit(1000).explained();
  }

  private void step(RandomGenerator random, int number) {
    List<MemoryRecord> all =
        world.memories.list(MemoryFilter.NONE, PageRequest.of(1000)).page().items();
    if (all.isEmpty() || random.nextInt(3) == 0) {
      world.remember(
          draft("text " + random.nextInt(1000))
              .kind(KINDS.get(random.nextInt(KINDS.size())))
              .place(
                  random.nextBoolean()
                      ? MemoryPlace.WORKSPACE.from(SESSION)
                      : MemoryPlace.channel(BACKEND)));
      return;
    }
    MemoryRecord one = all.get(random.nextInt(all.size()));
    MemoryRecord other = all.get(random.nextInt(all.size()));
    world.now = START.plusSeconds(number);
    switch (random.nextInt(8)) {
      case 0 -> world.memories.get(one.id());
      case 1 -> world.memories.pin(one.id(), random.nextBoolean());
      case 2 ->
          world.update(
              one.id(),
              update -> update.withContent(MemoryContent.of("text " + random.nextInt(1000))));
      case 3 -> world.memories.delete(Deletion.of(one.id()), random.nextBoolean());
      case 4 -> world.workspace.embedPending();
      case 5 -> world.supersede(one.id(), other.id());
      case 6 -> {
        if (!one.equals(other)) {
          world.workspace.commit(
              new MemoryBatch()
                  .merge(one, other.id())
                  .use(other.id(), other.use().plus(one.use())));
        }
      }
      default -> world.workspace.renameChannel(BACKEND, random.nextBoolean() ? SERVER : BACKEND);
    }
  }

  @Test
  void nothing_isReadBeforeTheFirstUse() {
    world.remember("text");
    world.store.close();
    world.reopen();
    // A closed store refuses every read.
    world.workspace.close();
  }

  @Test
  void usage_ofASession_countsItsMemories() {
    world.remember(draft("a").kind(MemoryKind.FINDING).place(MemoryPlace.WORKSPACE.from(SESSION)));
    MemoryRecord read = world.remember(draft("b").place(MemoryPlace.conversation(SESSION)));
    world.remember("c");
    world.memories.get(read.id());

    assertThat(world.workspace.usage(SESSION))
        .isEqualTo(
            new SessionUsage(
                Map.of(MemoryKind.FINDING, 1L, MemoryKind.OBSERVATION, 1L),
                world.workspace.bytes(SESSION),
                Optional.of(START),
                Optional.of(START),
                Optional.of(START)));
    assertThat(world.workspace.bytes(SESSION)).isPositive();
  }

  @Test
  void channels_areThoseThatMemoriesName_withTheirEarliestMemory() {
    world.remember(draft("a").place(MemoryPlace.channel(BACKEND)));
    world.remember(draft("b").place(MemoryPlace.channel(BACKEND)).created(START.minusSeconds(5)));
    world.remember(draft("c").place(MemoryPlace.WORKSPACE.from(SESSION).moved(SERVER)));
    world.remember("d");

    assertThat(world.workspace.channels())
        .isEqualTo(Map.of(BACKEND, START.minusSeconds(5), SERVER, START));
  }

  @Test
  void renameChannel_movesItsMemories_andAgainMovesNothing() {
    MemoryRecord moved = world.remember(draft("a").place(MemoryPlace.channel(BACKEND)));
    MemoryRecord other = world.remember("b");
    world.workspace.renameChannel(BACKEND, SERVER);
    String revision = world.store.records().record("meta:recall").orElseThrow();
    world.workspace.renameChannel(BACKEND, SERVER);
    assertThat(world.store.records().record("meta:recall")).contains(revision);
    world.reopen();

    assertThat(world.workspace.get(moved.id()).place()).isEqualTo(MemoryPlace.channel(SERVER));
    assertThat(world.workspace.get(other.id())).isEqualTo(other);
    assertThat(world.workspace.table().count(ScopeInstance.of(MemoryPlace.channel(BACKEND))))
        .isEqualTo(new ScopeCount(0, 0));
  }

  @Test
  void workspacesOfASharedStore_doNotSeeEachOther() {
    MemoryCollection alpha = world.workspace("@alpha/");
    MemoryCollection beta = world.workspace("@beta/");
    MemoryRecord ofAlpha = alpha.add(List.of(MemoryDraft.of("alpha's")), _ -> false).getFirst();
    MemoryRecord ofBeta = beta.add(List.of(MemoryDraft.of("beta's")), _ -> false).getFirst();
    alpha.commit(new MemoryBatch().forget(ofAlpha.id(), START, ""));

    assertThat(beta.get(ofBeta.id()).content().text()).isEqualTo("beta's");
    assertThat(beta.has(ofAlpha.id())).isFalse();
    assertThat(beta.tombstones().isForgotten(ofAlpha.id())).isFalse();
    assertThat(world.workspace("@alpha/").entries()).isEmpty();
    assertThat(world.workspace("@beta/").entries()).hasSize(1);
  }

  @Tag("slow")
  @Test
  void writersOfManyThreads_loseNothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int number = thread;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 250; i++) {
                  MemoryRecord memory =
                      world.remember(
                          draft("text %d %d".formatted(number, i))
                              .place(MemoryPlace.WORKSPACE.from(SESSION)));
                  world.memories.get(memory.id());
                  world.memories.search(MemorySearch.of("text").explained());
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    world.workspace.flush();
    world.reopen();

    assertThat(world.workspace.entries()).hasSize(1000).allMatch(e -> e.use().count() == 1);
    assertThat(world.workspace.usage(SESSION).count()).isEqualTo(1000);
  }
}
