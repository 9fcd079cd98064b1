package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/// A disk that refuses to sync: nobody is told that an event is safe.
class FailingDiskTest {

  @TempDir private Path directory;
  private final AtomicBoolean failing = new AtomicBoolean();
  private final AtomicBoolean failingSync = new AtomicBoolean();

  @Test
  void commit_writeFails_isNotAcknowledgedNorVisible() {
    Event before = TestEvents.message("s", TestEvents.START, "before");
    Event lost = TestEvents.message("s", TestEvents.START.plusSeconds(1), "lost");
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(before)));
      failing.set(true);
      assertFailed(store, lost);
      assertThat(store.event(lost.id())).isEmpty();
      assertThat(store.event(before.id())).contains(before);
      assertThat(store.outbox(0, 9)).hasSize(1);
      assertThat(store.stats().events()).isEqualTo(1);
      assertThat(store.stats().commits()).isEqualTo(1);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void commit_afterAFailure_failsUntilOpenedAnew() {
    Event event = TestEvents.message("s", TestEvents.START, "text");
    try (RocksStore store = open()) {
      assertThat(store.problem()).isEmpty();
      failing.set(true);
      assertFailed(store, event);
      failing.set(false);
      assertFailed(store, event);
      assertThat(store.problem()).hasValueSatisfying(why -> assertThat(why).contains("restart"));
    }
    try (RocksStore store = open()) {
      assertThat(store.problem()).isEmpty();
      store.commit(Commit.append(List.of(event)));
      assertThat(store.event(event.id())).contains(event);
      assertThat(store.verify(10)).isEmpty();
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
    return RocksStore.open(
        directory, StorageConfig.DEFAULT, InstantSource.system(), this::unreliable);
  }

  private GroupWriter.Sink unreliable(GroupWriter.Sink disk) {
    return new GroupWriter.Sink() {
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
}
