package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.TableFiles;
import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stores share, and in which order it is closed.
class StoreMemoryTest {

  @TempDir private Path directory;

  private RocksStore open(String name, StoreMemory memory) {
    return RocksStore.open(
        StoreLocation.of(directory.resolve(name)),
        StorageConfig.DEFAULT,
        InstantSource.system(),
        memory);
  }

  @Test
  void stores_withOneMemory_areChargedToTheSameCache() {
    try (var memory = new StoreMemory(StorageConfig.DEFAULT);
        var first = open("first", memory)) {
      long before = memory.memory().cache().getUsage();
      try (var second = open("second", memory)) {
        // The cache is charged in steps of 256 KiB.
        List<Event> events = TestEvents.messages("s", 1000);
        first.commit(Commit.append(events));
        long one = memory.memory().cache().getUsage();
        second.commit(Commit.append(events));
        assertThat(one).isGreaterThan(before);
        assertThat(memory.memory().cache().getUsage()).isGreaterThan(one);
        assertThat(second.events().event(events.getFirst().id())).contains(events.getFirst());
      }
      assertThat(first.stats().events()).isEqualTo(1000);
    }
  }

  @Test
  void commitsOfAllStores_areMeasuredTogether() {
    var nanos = new AtomicLong();
    var figures = new CommitFigures(() -> nanos.addAndGet(1_000_000));
    try (var memory = new StoreMemory(StorageConfig.DEFAULT, figures);
        var first = open("first", memory);
        var second = open("second", memory)) {
      first.commit(Commit.append(TestEvents.messages("s", 3)));
      var _ = second.submit(Commit.append(TestEvents.messages("s", 3))).join();
      assertThat(figures.syncs().count()).isEqualTo(2);
      assertThat(figures.syncs().sum()).isEqualTo(2_000);
      Await.until("both are counted", () -> figures.durations().count() == 2);
      assertThat(figures.durations().sum()).isGreaterThanOrEqualTo(2_000);
      assertThat(memory.usedBytes()).isPositive();
    }
  }

  @Test
  void figuresOfAStore_tellWhatTheEngineHas() {
    try (var memory = new StoreMemory(StorageConfig.DEFAULT)) {
      RocksStore closed;
      try (var store = open("store", memory)) {
        store.commit(Commit.append(TestEvents.messages("s", 1000)));
        StorageFigures before = store.figures();
        assertThat(before.memtableBytes()).isPositive();
        assertThat(before.estimatedRows()).isGreaterThanOrEqualTo(1000);
        assertThat(before.backgroundErrors()).isZero();
        store.compact();
        assertThat(store.figures().compactions()).isGreaterThan(before.compactions());
        closed = store;
      }
      assertThatThrownBy(closed::figures).isInstanceOf(MemoryException.class);
    }
  }

  /// Compaction that meets a damaged block ends writes until the store is reopened without it. A
  /// workspace that makes commits while it is opened would be refused again and again.
  @Test
  void files_areNotCompactedBeforeTheyMayBe_soThatDamageDoesNotPreventCommits() {
    try (var memory = new StoreMemory(StorageConfig.DEFAULT)) {
      // More files than the engine leaves as they are.
      for (int i = 0; i < 10; i++) {
        try (var store = open("store", memory)) {
          store.commit(i == 0 ? Commit.append(TestEvents.messages("s", 50)) : later(20 + i));
        }
        if (i == 0) {
          Path tables = directory.resolve("store/rocksdb");
          TableFiles.damageBlock(TableFiles.files(tables, Table.EVENTS).getFirst(), "Data");
        }
      }
      try (var store = open("store", memory)) {
        for (int i = 0; i < 10; i++) {
          store.commit(later(i));
        }
        assertThat(store.figures().backgroundErrors()).isZero();
        store.beginCompaction();
        // It ends writes for a while if it reads the block from the disk.
        Await.until(
            "files are compacted", () -> !accepts(store) || store.figures().compactions() > 0);
        Await.until("writes are accepted", () -> accepts(store));
      }
    }
  }

  /// Of a time that no damaged block has.
  private static Commit later(int day) {
    return Commit.append(
        List.of(TestEvents.message("s", TestEvents.START.plus(Duration.ofDays(1 + day)), "later")));
  }

  private static boolean accepts(RocksStore store) {
    try {
      return store.commit(later(11)).size() == 1;
    } catch (MemoryException e) {
      assertThat(e).hasMessageContaining("a damaged file ended compaction");
      return false;
    }
  }

  @Test
  void records_areChargedToTheSameCache() {
    try (var memory = new StoreMemory(StorageConfig.DEFAULT);
        var store = open("store", memory)) {
      long before = memory.memory().cache().getUsage();
      var large = new StoredRecord("memory:1", "word ".repeat(200_000));
      store.commit(Commit.of(new Change.PutRecord(large)));
      assertThat(memory.memory().cache().getUsage()).isGreaterThan(before + 500_000);
      assertThat(store.records().record("memory:1")).contains(large.value());
    }
  }

  @Test
  void memory_closedUnderAnOpenStore_refuses() {
    var memory = new StoreMemory(StorageConfig.DEFAULT);
    try (var store = open("store", memory)) {
      assertThatThrownBy(memory::close).isInstanceOf(IllegalStateException.class);
      assertThat(store.stats().events()).isZero();
    }
    memory.close();
    memory.close();
    assertThatThrownBy(() -> open("late", memory)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void store_thatCannotBeOpened_leavesTheMemoryToOthers() throws IOException {
    try (var memory = new StoreMemory(StorageConfig.DEFAULT)) {
      open("broken", memory).close();
      Files.writeString(directory.resolve("broken/rocksdb/CURRENT"), "MANIFEST-999999\n");
      assertThatThrownBy(() -> open("broken", memory)).isInstanceOf(MemoryException.class);
      open("sound", memory).close();
    }
  }
}
