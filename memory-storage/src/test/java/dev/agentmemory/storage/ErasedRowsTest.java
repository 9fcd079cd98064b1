package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
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
}
