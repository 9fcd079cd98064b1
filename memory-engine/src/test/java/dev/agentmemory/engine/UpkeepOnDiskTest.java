package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.upkeep.ConversationEnds;
import dev.agentmemory.recall.upkeep.LastExtraction;
import dev.agentmemory.recall.upkeep.MemoryUpkeep;
import dev.agentmemory.recall.upkeep.ReplacementRule;
import dev.agentmemory.recall.upkeep.UpkeepPorts;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.search.memory.MemoryWords;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Upkeep of memories over the real store and the real index of words.
class UpkeepOnDiskTest {

  private static final SessionId SESSION = new SessionId("s1");
  private static final int ENTRIES = 1200;

  @TempDir private Path data;
  private final Random random = new Random(1);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private RocksStore store;
  private MemoryCollection memories;
  private MemoryUpkeep upkeep;

  @BeforeEach
  void open() {
    store = RocksStore.open(data.resolve("db"), StorageConfig.DEFAULT, () -> now);
    var system = new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
    var services =
        new RecallServices(
            system, random, RecallConfig.DEFAULT, Duration.ofMinutes(5), TextMask.NONE);
    memories =
        MemoryCollection.ofWorkspace(
            services,
            store,
            "",
            new Mutex(),
            new MemoryPorts(
                new Words(MemoryWords.open(data)), MemoryEmbedder.NONE, SessionPorts.NONE));
    upkeep =
        new MemoryUpkeep(
            services,
            new WorkspaceName("default"),
            memories,
            AccountMemories.NONE,
            new UpkeepPorts(ConversationEnds.NEVER, LastExtraction.NONE, ReplacementRule.BY_RULES));
  }

  @AfterEach
  void close() {
    memories.close();
    store.close();
  }

  private record Words(MemoryWords index) implements WordIndex {

    @Override
    public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
      return index.match(query, allowed, limit);
    }

    @Override
    public void put(List<Doc> docs) {
      index.put(
          docs.stream().map(doc -> new MemoryWords.Doc(doc.id(), doc.text(), doc.tags())).toList());
    }

    @Override
    public void remove(Collection<MemoryId> ids) {
      index.remove(ids);
    }

    @Override
    public void clear() {
      index.clear();
    }

    @Override
    public long revision() {
      return index.revision();
    }

    @Override
    public void commit(long revision) {
      index.commit(revision);
    }

    @Override
    public void close() {
      index.close();
    }
  }

  private List<StoredRecord> digest() {
    List<StoredRecord> rows = new ArrayList<>();
    for (String kind : List.of("memory:", "history:", "merged:", "tombstone:")) {
      rows.addAll(store.records().records(kind, Optional.empty(), 100_000));
    }
    return rows;
  }

  /// Irrelevant ones, every other one a duplicate of that before it.
  private void remember() {
    List<MemoryDraft> drafts = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      drafts.add(
          MemoryDraft.builder(
                  MemoryContent.of("statement %d %s".formatted(i / 2, "word ".repeat(100))))
              .importance(0.02)
              .place(MemoryPlace.WORKSPACE.from(SESSION))
              .build());
    }
    for (int i = 0; i < ENTRIES; i += 100) {
      assertThat(memories.addMissing(drafts.subList(i, i + 100))).hasSize(100);
    }
  }

  @Test
  void runs_inSeveralCommits_surviveARestart_andAreUndone() {
    remember();
    List<StoredRecord> atFirst = digest();
    assertThat(upkeep.run()).containsEntry("merged", Integer.toString(ENTRIES / 2));
    List<StoredRecord> merged = digest();
    CompactionReport report = upkeep.compact(SESSION);
    assertThat(report.entriesBefore()).isEqualTo(ENTRIES / 2);
    assertThat(report.entriesAfter()).isZero();
    close();
    open();

    List<ConsolidationEntry> log = upkeep.log(PageRequest.first()).items();
    assertThat(log.stream().map(ConsolidationEntry::kind).toList())
        .containsExactly("compaction", "consolidation");
    assertThat(upkeep.undo(log.getFirst().id()).undone()).isPresent();
    assertThat(digest()).isEqualTo(merged);
    assertThat(upkeep.undo(log.getLast().id()).undone()).isPresent();
    assertThat(digest()).isEqualTo(atFirst);
    assertThat(memories.entries()).hasSize(ENTRIES);
    assertThat(store.verify(10)).isEmpty();
  }
}
