package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is on disk of an event after it was masked.
class MaskedRowsTest {

  private static final String SECRET = "zorp_4f7q9z2k8m1x";

  private static final String MASK = "[masked:zorp_key]";

  @TempDir private Path folder;

  @Test
  void eventsMasked_compacted_noFileHasWhatTheySaid() throws IOException {
    Path home = folder.resolve("store");
    List<Event> events =
        TestEvents.messages("s", 50).stream()
            .map(event -> TestEvents.withText(event, SECRET + " " + event.text()))
            .toList();
    try (var store = RocksStore.open(home, StorageConfig.DEFAULT, () -> TestEvents.START)) {
      store.commit(Commit.append(events));
      store.compact();
      store.commit(
          Commit.of(
              events.stream()
                  .<Change>map(event -> new Change.MaskEvent(event.withContent(MASK, Map.of())))
                  .toList()));
      assertThat(store.events().event(events.getFirst().id()).orElseThrow().text()).isEqualTo(MASK);
      assertThat(count(home, SECRET)).as("before compaction").isPositive();
      store.compact();
      assertThat(count(home, SECRET)).isZero();
      assertThat(count(home, MASK)).isPositive();
    }
    assertThat(count(home, SECRET)).isZero();
    assertThat(count(home, MASK)).isPositive();
  }

  /// How often a text is in the files of the store, also in rows that were replaced.
  private static long count(Path home, String text) throws IOException {
    return ByteScanner.scan(List.of(text), home).count(text);
  }
}
