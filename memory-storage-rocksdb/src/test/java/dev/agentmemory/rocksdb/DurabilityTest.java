package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DurabilityTest {

  @TempDir private Path directory;

  @Test
  void commit_oneAfterTheOther_areSyncedEach() {
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      long before = store.stats().walSyncs();
      List<Event> events = TestEvents.messages("s", 10);
      events.forEach(event -> store.commit(Commit.append(List.of(event))));
      assertThat(store.stats().walSyncs() - before).isGreaterThanOrEqualTo(10);
      assertThat(store.stats().diskBytes()).isPositive();
    }
  }

  @Test
  void commit_async_isNotSynced() {
    var config = StorageConfig.from(SettingReader.of(Map.of("durability", "async")));
    List<Event> events = TestEvents.messages("s", 10);
    try (MemoryStore store = open(config)) {
      // The header of a new store is synced all the same.
      long before = store.stats().walSyncs();
      events.forEach(event -> store.commit(Commit.append(List.of(event))));
      assertThat(store.stats().walSyncs()).isEqualTo(before);
    }
    try (MemoryStore store = open(config)) {
      assertThat(store.stats().events()).isEqualTo(10);
    }
  }

  @Test
  void compact_afterManyChanges_keepsWhatIsThere() {
    List<Event> events = TestEvents.messages("s", 500);
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      store.commit(Commit.append(events));
      store.commit(Commit.of(new Change.TrimOutbox(490)));
      store.compact();
      store.compact();
      assertThat(store.events().events(events.stream().map(Event::key).toList())).isEqualTo(events);
      assertThat(store.outbox().entries(0, 100)).hasSize(10);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void close_muchNotInTables_leavesLittleToTheLog() throws IOException {
    String text = "word ".repeat(100_000);
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      for (Event event : TestEvents.messages("s", 24)) {
        store.commit(Commit.append(List.of(TestEvents.withText(event, text))));
      }
    }
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      for (Path log : files.filter(file -> file.toString().endsWith(".log")).toList()) {
        assertThat(log).isEmptyFile();
      }
    }
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      assertThat(store.stats().events()).isEqualTo(24);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void close_underReadersWritersAndCompaction_endsThemCleanly() throws Exception {
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 5; round++) {
        MemoryStore store = open(StorageConfig.DEFAULT);
        var reading = CompletableFuture.supplyAsync(() -> untilClosed(reads(store)), threads);
        Runnable writes = writes(store);
        var writing = CompletableFuture.supplyAsync(() -> untilClosed(writes), threads);
        var checking =
            CompletableFuture.supplyAsync(() -> untilClosed(() -> store.verify(9)), threads);
        var compacting = CompletableFuture.supplyAsync(() -> untilClosed(store::compact), threads);
        assertThat(store.outbox().await(20L * round, Duration.ofSeconds(30))).isTrue();
        store.close();
        assertThat(reading.get()).isTrue();
        assertThat(writing.get()).isTrue();
        assertThat(checking.get()).isTrue();
        assertThat(compacting.get()).isTrue();
      }
    }
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      assertThat(store.verify(10)).isEmpty();
    }
  }

  private static boolean untilClosed(Runnable work) {
    try {
      while (true) {
        work.run();
      }
    } catch (MemoryException e) {
      return e.code() == ErrorCode.CLOSED;
    }
  }

  private static Runnable reads(MemoryStore store) {
    Instant end = TestEvents.START.plusSeconds(86_400);
    return () -> store.events().events(TestEvents.START, end, Optional.empty(), 100);
  }

  private static Runnable writes(MemoryStore store) {
    long first = store.stats().outboxHead();
    var next = new AtomicLong(first);
    return () -> {
      Instant at = TestEvents.START.plusMillis(next.getAndIncrement());
      store.commit(Commit.append(List.of(TestEvents.message("s", at, "text"))));
    };
  }

  private MemoryStore open(StorageConfig config) {
    return RocksStore.open(directory, config, InstantSource.system());
  }
}
