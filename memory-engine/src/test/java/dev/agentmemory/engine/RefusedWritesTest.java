package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What memories do when the store does not take a write, or a row of it cannot be read.
class RefusedWritesTest {

  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path data;
  private final AtomicBoolean failing = new AtomicBoolean();
  private RocksStore store;
  private StoreRecall recall;
  private EmbeddingThread embedding;

  private static final class NoJobs implements JobControl {

    @Override
    public void trigger(String job) {}

    @Override
    public void plan(String job, Duration fromNow) {}

    @Override
    public boolean isPaused(String job) {
      return false;
    }

    @Override
    public Map<String, String> run(String job) {
      throw new IllegalStateException("no job is run by this one");
    }
  }

  @BeforeEach
  void open() {
    StorageConfig defaults = StorageConfig.DEFAULT;
    var oneWaits =
        new StorageConfig(
            defaults.zone(),
            defaults.blockCacheBytes(),
            defaults.writeBufferBytes(),
            defaults.minFreeBytes(),
            /* queuedCommits= */ 1,
            defaults.queuedBytes(),
            defaults.durability());
    store = RocksStore.open(data.resolve("store"), oneWaits, CLOCK);
    embedding = new EmbeddingThread(System::nanoTime, Optional.empty());
    recall = recall(failing("use:"), "index", Optional.of(new WorkspaceName("default")));
  }

  private StoreRecall recall(MemoryStore over, String index, Optional<WorkspaceName> only) {
    return new StoreRecall(
        TestConfig.recall(embedding, data),
        over,
        over,
        over,
        data.resolve(index),
        only,
        new NoJobs(),
        new TokenBudget(CLOCK, store.zone(), store.ledger(), 0));
  }

  @AfterEach
  void close() {
    failing.set(false);
    recall.close();
    embedding.close();
    store.close();
  }

  /// Rows whose keys begin with a prefix cannot be written while [#failing] is set.
  private MemoryStore failing(String prefix) {
    return InterceptedStore.of(
        store,
        (method, arguments, call) -> {
          if (failing.get() && method.equals("commit") && puts((Commit) arguments[0], prefix)) {
            throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk fails as it was told to");
          }
          return call.make();
        });
  }

  private static boolean puts(Commit commit, String prefix) {
    return commit.changes().stream()
        .anyMatch(
            change -> change instanceof Change.PutRecord put && put.row().key().startsWith(prefix));
  }

  private static Ingest noIngest() {
    return _ -> {
      throw new IllegalStateException("no event is stored by this one");
    };
  }

  private Memories memories() {
    return recall.recall(noIngest()).memories();
  }

  @Test
  void recordOfAConversationThatCannotBeRead_isPassedOver_andShowsInStatus() {
    var session = new SessionId("s");
    var broken = new StoredRecord("conversation:s", "no json");
    var _ = store.commit(Commit.of(new Change.PutRecord(broken)));
    MemoryRecord memory =
        memories()
            .remember(
                MemoryDraft.builder(MemoryContent.of("We retry with jitter."))
                    .place(MemoryPlace.WORKSPACE.from(session))
                    .build());

    assertThat(memories().search(MemorySearch.of("jitter")).hits())
        .extracting(hit -> hit.memory().id())
        .containsExactly(memory.id());
    assertThat(consolidation(recall).run()).containsEntry("scored", "1");
    assertThat(recall.problems())
        .singleElement()
        .asString()
        .contains("1 records of conversations cannot be read", "backup");
  }

  @Test
  void runOfUpkeepThatCannotBeRead_showsInStatus() {
    var broken = new StoredRecord("run:01KG7Z5P0X0000000000000001", "no json");
    var _ = store.commit(Commit.of(new Change.PutRecord(broken)));
    var _ = memories().remember(MemoryDraft.of("We retry with jitter."));
    var _ = consolidation(recall).run();

    assertThat(recall.problems())
        .singleElement()
        .asString()
        .contains("1 runs of consolidation or compaction cannot be read", "backup");
  }

  private static Job.Body consolidation(StoreRecall recall) {
    return recall.jobs(new Schedule.OnRequest(), Duration.ofMinutes(1)).getFirst().body();
  }

  @Test
  void consolidation_failsInOneWorkspace_isDoneInTheOthers() {
    var alpha = new WorkspaceName("alpha");
    var beta = new WorkspaceName("beta");
    StoreRecall shared = recall(failing("run:@alpha/"), "shared", Optional.empty());
    try {
      for (WorkspaceName name : List.of(alpha, beta)) {
        Memories memories = shared.recall(name, noIngest()).memories();
        var _ = memories.remember(MemoryDraft.of("We retry with jitter."));
        var _ = memories.remember(MemoryDraft.of("We retry with jitter."));
      }
      failing.set(true);
      assertThatThrownBy(() -> consolidation(shared).run())
          .isInstanceOf(MemoryException.class)
          .hasMessageContainingAll("workspace alpha was not consolidated", "as it was told to");
      assertThat(store.records().records("memory:@alpha/", Optional.empty(), 10)).hasSize(2);
      assertThat(store.records().records("memory:@beta/", Optional.empty(), 10)).hasSize(1);
    } finally {
      shared.close();
    }
  }

  @Test
  void accessCountsThatAreNotWritten_showInStatus_andAreWrittenLater() {
    MemoryRecord memory = memories().remember(MemoryDraft.of("We retry with jitter."));
    String key = "use:" + memory.id();
    assertThat(recall.problems()).isEmpty();

    failing.set(true);
    var _ = memories().get(memory.id());
    Await.until("the failure", () -> !recall.problems().isEmpty());
    assertThat(recall.problems().getFirst()).contains("access counts", "as it was told to");
    assertThat(store.records().record(key)).isEmpty();

    failing.set(false);
    Await.until("the next flush", () -> recall.problems().isEmpty());
    assertThat(store.records().record(key)).isPresent();
  }

  @Test
  void fullQueueOfWrites_refusesAMemory_whichCanBeSentAgain() {
    MemoryDraft refused = refusedByAFullQueue();
    assertThat(listed()).doesNotContain(refused.content());

    Await.until("an empty queue", this::isWritable);
    MemoryRecord stored = memories().remember(refused);
    assertThat(memories().get(stored.id()).content()).isEqualTo(refused.content());
  }

  private List<MemoryContent> listed() {
    return memories().list(MemoryFilter.NONE, PageRequest.of(1000)).page().items().stream()
        .map(MemoryRecord::content)
        .toList();
  }

  private boolean isWritable() {
    try {
      store.commit(Commit.append(TestEvents.messages("last", 1)));
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  /// Keeps the thread that writes busy until a memory meets a full queue.
  private MemoryDraft refusedByAFullQueue() {
    for (int round = 0; round < 1000; round++) {
      MemoryDraft draft = MemoryDraft.of("This is the note of round %d.".formatted(round));
      fillQueue(round);
      try {
        var _ = memories().remember(draft);
      } catch (MemoryException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL);
        return draft;
      }
    }
    throw new AssertionError("the queue was never full");
  }

  private void fillQueue(int round) {
    try {
      for (int i = 0; i < 100; i++) {
        var _ = store.submit(Commit.append(TestEvents.messages("s%d-%d".formatted(round, i), 200)));
      }
    } catch (MemoryException full) {
      assertThat(full.code()).isEqualTo(ErrorCode.QUEUE_FULL);
    }
  }
}
