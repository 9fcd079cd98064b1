package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.TableFiles;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows by which erased events are recognised, over restarts and when they come from elsewhere.
class ErasedRowsTest {

  private final Event event = TestEvents.message("s", TestEvents.START, "to be forgotten");

  @TempDir private Path directory;

  private RocksStore open() {
    return RocksStore.open(directory, StorageConfig.DEFAULT, InstantSource.system());
  }

  private List<StoredRecord> erase() {
    try (RocksStore store = open()) {
      store.commit(Commit.append(List.of(event)));
      Event stored = store.events().event(event.id()).orElseThrow();
      store.commit(Commit.of(new Change.EraseEvent(event.session(), stored.key(), true)));
      return store.records().records("erased:", Optional.empty(), 10);
    }
  }

  @Test
  void erasedEvent_isRecognisedAfterARestart() {
    assertThat(erase()).isNotEmpty();
    try (RocksStore store = open()) {
      assertThat(store.commit(Commit.append(List.of(event))))
          .containsExactly(new Receipt.Erased(event.id()));
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void rowsThatArePutAlone_barTheEventAtOnce() {
    List<StoredRecord> rows = erase();
    try (RocksStore store = open()) {
      rows.forEach(row -> store.commit(Commit.of(new Change.DropRecord(row.key()))));
    }
    try (RocksStore store = open()) {
      rows.forEach(row -> store.commit(Commit.of(new Change.PutRecord(row))));
      assertThat(store.commit(Commit.append(List.of(event))))
          .containsExactly(new Receipt.Erased(event.id()));
    }
  }

  @Test
  void damagedEvents_areErasedByTheirKeys_andNotStoredAgain() {
    List<Event> events = TestEvents.messages("s", 5);
    List<EventKey> keys;
    try (RocksStore store = open()) {
      store.commit(Commit.append(events));
      keys = store.sessions().eventsAfter(new SessionId("s"), Optional.empty(), 10);
      store.compact();
    }
    TableFiles.damageFirstBlock(directory.resolve("rocksdb"), Table.EVENTS);
    try (RocksStore store = open()) {
      assertThatThrownBy(() -> store.events().event(events.getFirst().id()))
          .isInstanceOf(MemoryException.class);
      for (EventKey key : keys) {
        store.commit(Commit.of(new Change.EraseEvent(new SessionId("s"), key, /* barred= */ true)));
      }
      assertThat(store.sessions().session(new SessionId("s"))).isEmpty();
      assertThat(store.stats().events()).isZero();
      assertThat(store.commit(Commit.append(events)))
          .allMatch(Receipt.Erased.class::isInstance)
          .hasSize(5);
    }
    try (RocksStore store = open()) {
      assertThat(store.commit(Commit.append(events))).allMatch(Receipt.Erased.class::isInstance);
      assertThat(store.stats().events()).isZero();
    }
  }
}
