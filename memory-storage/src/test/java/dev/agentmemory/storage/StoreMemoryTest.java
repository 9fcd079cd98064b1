package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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
