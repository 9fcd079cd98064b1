package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.storage.RocksStore;
import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
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

/// What memories do when the store does not take a write.
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
    recall =
        new StoreRecall(
            TestConfig.recall(embedding, data),
            failingUses(),
            data.resolve("index"),
            Optional.of(new WorkspaceName("default")),
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

  /// Access counts cannot be written while [#failing] is set.
  private MemoryStore failingUses() {
    return InterceptedStore.of(
        store,
        (method, arguments, call) -> {
          if (failing.get() && method.equals("commit") && isUse((Commit) arguments[0])) {
            throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk fails as it was told to");
          }
          return call.make();
        });
  }

  private static boolean isUse(Commit commit) {
    return commit.changes().stream()
        .anyMatch(
            change -> change instanceof Change.PutRecord put && put.row().key().startsWith("use:"));
  }

  private Memories memories() {
    Ingest none =
        _ -> {
          throw new IllegalStateException("no event is stored by this one");
        };
    return recall.recall(none).memories();
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
