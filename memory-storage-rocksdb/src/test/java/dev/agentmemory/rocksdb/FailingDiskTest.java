package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchSink;
import dev.agentmemory.rocksdb.internal.home.DiskSpaceGuard;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/// A disk that refuses to write or to sync, or has no room: nobody is told that an event is safe,
/// and the store recovers by itself.
class FailingDiskTest {

  @TempDir private Path directory;
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicBoolean failingSync = new AtomicBoolean();
  private final AtomicLong free = new AtomicLong(Long.MAX_VALUE);
  private final AtomicReference<Instant> now = new AtomicReference<>(TestEvents.START);

  @Test
  void commit_writeFails_isNotAcknowledgedNorVisible() {
    Event before = TestEvents.message("s", TestEvents.START, "before");
    Event lost = TestEvents.message("s", TestEvents.START.plusSeconds(1), "lost");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(before)));
      failing.set(true);
      assertFailed(store, lost);
      assertThat(store.events().event(lost.id())).isEmpty();
      assertThat(store.events().event(before.id())).contains(before);
      assertThat(store.outbox().entries(0, 9)).hasSize(1);
      assertThat(store.stats().events()).isEqualTo(1);
      assertThat(store.stats().commits()).isEqualTo(1);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void commit_afterAFailedWrite_succeedsOnceTheStoreHasOpenedItselfAnew() {
    Event before = TestEvents.message("s", TestEvents.START, "before");
    Event event = TestEvents.message("s", TestEvents.START.plusSeconds(1), "text");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(before)));
      assertThat(store.problem()).isEmpty();
      failing.set(true);
      assertFailed(store, event);
      failing.set(false);
      assertFailed(store, event);
      assertThat(store.problem()).hasValueSatisfying(why -> assertThat(why).contains("disk"));
      assertThat(store.events().event(before.id())).contains(before);
      pass(Duration.ofSeconds(2));
      assertThat(store.commit(Commit.append(List.of(event))))
          .containsExactly(new Receipt.Created(event.id()));
      assertThat(store.problem()).isEmpty();
      assertThat(store.outbox().entries(0, 9))
          .extracting(OutboxEntry::sequence)
          .containsExactly(1L, 2L);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void commit_writtenButNotSynced_isKeptOrLostWhole_andNeverTwice() {
    List<Event> events = TestEvents.messages("s", 3);
    try (RocksStore store = open()) {
      failingSync.set(true);
      assertThatThrownBy(() -> store.commit(Commit.append(events)))
          .isInstanceOf(MemoryException.class);
      failingSync.set(false);
      pass(Duration.ofSeconds(2));
      store.commit(Commit.append(events));
      assertThat(store.stats().events()).isEqualTo(3);
      assertThat(store.stats().outboxHead()).isEqualTo(3);
      assertThat(store.verify(10)).isEmpty();
    }
    try (RocksStore store = open()) {
      assertThat(store.events().events(events.stream().map(Event::key).toList())).isEqualTo(events);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void reopening_logThatLostWhatWasAcknowledged_isRefused() throws IOException {
    List<Event> events = TestEvents.messages("s", 50);
    Event later = TestEvents.message("t", TestEvents.START.plusSeconds(1), "later");
    try (RocksStore store = open()) {
      store.commit(Commit.append(events.subList(0, 25)));
      store.commit(Commit.append(events.subList(25, 50)));
      failing.set(true);
      assertFailed(store, later);
      Path log = largestLog();
      StoreFolders.truncate(log, Files.size(log) / 2);
      failing.set(false);
      pass(Duration.ofSeconds(2));
      assertThatThrownBy(() -> store.commit(Commit.append(List.of(later))))
          .hasMessageContaining(log.toString());
      assertThat(store.problem())
          .hasValueSatisfying(why -> assertThat(why).contains("memory recover"));
    }
  }

  @Test
  void reopening_storeSetBackMeanwhile_isRefused_andTheRangeIsNamed() throws IOException {
    Event later = TestEvents.message("t", TestEvents.START.plusSeconds(1), "later");
    try (RocksStore store = setBackAfterAFailure(StorageConfig.Durability.FSYNC, later)) {
      assertThatThrownBy(() -> store.commit(Commit.append(List.of(later))))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_DAMAGED))
          .hasMessageContaining("entries 26 to 50")
          .hasMessageContaining("this process acknowledged");
      assertThat(store.problem())
          .hasValueSatisfying(why -> assertThat(why).contains("entries 26 to 50"));
    }
  }

  @Test
  void reopening_storeSetBackBeforeARecord_isRefused_andTheRangeIsNamed() throws IOException {
    Path tables = directory.resolve("rocksdb");
    Path former = directory.resolveSibling(directory.getFileName() + "-former");
    try (RocksStore store = open()) {
      store.commit(record("memory:1"));
    }
    StoreFolders.copy(tables, former);
    try (RocksStore store = open()) {
      store.commit(record("memory:2"));
      failing.set(true);
      assertFailed(store, TestEvents.message("s", TestEvents.START, "failed"));
      StoreFolders.delete(tables);
      Files.move(former, tables);
      failing.set(false);
      pass(Duration.ofSeconds(2));
      assertThatThrownBy(() -> store.commit(record("memory:3")))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_DAMAGED))
          .hasMessageContaining("changes 2 to 2 of curated memories");
    }
  }

  private static Commit record(String key) {
    return Commit.of(new Change.PutRecord(new StoredRecord(key, "text")));
  }

  /// As at opening: that the machine may lose something was agreed to.
  @Test
  void reopening_storeSetBackMeanwhile_asynchronous_isDone_andTheRangeIsTold() throws IOException {
    Event later = TestEvents.message("t", TestEvents.START.plusSeconds(1), "later");
    try (RocksStore store = setBackAfterAFailure(StorageConfig.Durability.ASYNC, later)) {
      assertThat(store.commit(Commit.append(List.of(later))))
          .containsExactly(new Receipt.Created(later.id()));
      assertThat(store.problem()).isEmpty();
      assertThat(store.notes())
          .singleElement()
          .satisfies(note -> assertThat(note).contains("entries 26 to 50"));
      assertThat(store.stats().events()).isEqualTo(26);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  /// An open store that acknowledged 50 events, then failed to write one, and whose files are those
  /// of an earlier stop by now, when it had 25. It opens itself anew with the next commit.
  private RocksStore setBackAfterAFailure(StorageConfig.Durability durability, Event failed)
      throws IOException {
    List<Event> events = TestEvents.messages("s", 50);
    Path tables = directory.resolve("rocksdb");
    Path former = directory.resolveSibling(directory.getFileName() + "-former");
    try (RocksStore store = open()) {
      store.commit(Commit.append(events.subList(0, 25)));
    }
    StoreFolders.copy(tables, former);
    RocksStore store =
        open(StorageConfig.from(SettingReader.of(Map.of("durability", durability.name()))));
    store.commit(Commit.append(events.subList(25, 50)));
    failing.set(true);
    assertFailed(store, failed);
    StoreFolders.delete(tables);
    Files.move(former, tables);
    failing.set(false);
    pass(Duration.ofSeconds(2));
    return store;
  }

  private Path largestLog() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow();
    }
  }

  @Test
  void reopening_whileItIsNotDue_isNotTried() {
    try (RocksStore store = open()) {
      failing.set(true);
      Event event = TestEvents.message("s", TestEvents.START, "text");
      assertFailed(store, event);
      failing.set(false);
      pass(Duration.ofMillis(500));
      assertFailed(store, event);
      pass(Duration.ofMillis(600));
      store.commit(Commit.append(List.of(event)));
    }
  }

  @Test
  void ingest_littleRoom_isRefusedUntilThereIsMore_andReadsGoOn() {
    Event before = TestEvents.message("s", TestEvents.START, "before");
    Event event = TestEvents.message("s", TestEvents.START.plusSeconds(1), "text");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(before)));
      leave(store, StorageConfig.DEFAULT.minFreeBytes() - 1);
      assertFull(store, event);
      assertThat(store.problem())
          .hasValueSatisfying(
              why -> assertThat(why).contains("64.0 MiB are free", "80.0 MiB are needed"));
      assertThat(store.events().event(before.id())).contains(before);
      store.commit(Commit.of(Checkpoint.at("job", 1)));
      store.commit(Commit.of(new Change.MarkDirty(NodeId.year(2026))));
      store.commit(record("tombstone:1"));

      leave(store, StorageConfig.DEFAULT.minFreeBytes() / 2 - 1);
      assertThatThrownBy(() -> store.commit(Commit.of(new Change.MarkDirty(NodeId.year(2025)))))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
      assertThatThrownBy(() -> store.commit(record("memory:2")))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
      store.commit(Commit.of(new Change.TrimOutbox(1), new Change.DropRecord("tombstone:1")));
      assertThat(store.records().record("tombstone:1")).isEmpty();

      leave(store, StorageConfig.DEFAULT.minFreeBytes() + 1);
      assertFull(store, event);
      leave(store, StorageConfig.DEFAULT.minFreeBytes() * 5 / 4);
      store.commit(Commit.append(List.of(event)));
      assertThat(store.problem()).isEmpty();
      assertThat(store.events().event(event.id())).contains(event);
    }
  }

  @Test
  void commits_syncFails_nobodyIsAcknowledgedWhateverTheirNumber() {
    try (RocksStore store = open()) {
      store.commit(Commit.append(TestEvents.messages("s", 1)));
      failingSync.set(true);
      var answers = new ArrayList<CompletableFuture<List<Receipt>>>();
      for (int i = 0; i < 200; i++) {
        Event event = TestEvents.message("t", TestEvents.START.plusSeconds(i), "text " + i);
        answers.add(store.submit(Commit.append(List.of(event))));
      }
      for (var answer : answers) {
        assertThatThrownBy(answer::get).hasCauseInstanceOf(MemoryException.class);
      }
      assertThat(store.stats().commits()).isEqualTo(1);
      assertThat(store.stats().events()).isEqualTo(1);
      failingSync.set(false);
      assertFailed(store, TestEvents.message("u", TestEvents.START, "later"));
      pass(Duration.ofSeconds(2));
      store.commit(Commit.append(TestEvents.messages("u", 1)));
      assertThat(store.stats().events()).isEqualTo(store.stats().outboxHead());
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void submit_writeFails_failsTheFuture() {
    failing.set(true);
    try (RocksStore store = open()) {
      var answer = store.submit(Commit.append(TestEvents.messages("s", 2)));
      assertThatThrownBy(answer::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(MemoryException.class);
    }
  }

  private RocksStore open() {
    return open(StorageConfig.DEFAULT);
  }

  private RocksStore open(StorageConfig config) {
    return RocksStore.open(StoreLocation.of(directory), config, now::get, new Unreliable());
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  /// Leaves that much room and lets the store see it: a commit that is always let in makes it look.
  private void leave(RocksStore store, long bytes) {
    free.set(bytes);
    pass(Duration.ofSeconds(1));
    store.commit(Commit.of(Checkpoint.at("look", 0)));
  }

  private final class Unreliable implements RocksStore.Disks {

    @Override
    public BatchSink sink(BatchSink disk) {
      return new BatchSink() {
        @Override
        public void write(byte[] batch) throws RocksDBException {
          check(failing);
          disk.write(batch);
        }

        @Override
        public void sync() throws RocksDBException {
          check(failingSync);
          disk.sync();
        }
      };
    }

    @Override
    public DiskSpaceGuard.Disk room(Path directory) {
      return free::get;
    }
  }

  private static void check(AtomicBoolean failing) throws RocksDBException {
    if (failing.get()) {
      throw new RocksDBException("IO error: no space left");
    }
  }

  private static void assertFailed(RocksStore store, Event event) {
    assertThatThrownBy(() -> store.commit(Commit.append(List.of(event))))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
  }

  private static void assertFull(RocksStore store, Event event) {
    assertThatThrownBy(() -> store.commit(Commit.append(List.of(event))))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
        .hasMessageContaining("free some disk space");
  }
}
