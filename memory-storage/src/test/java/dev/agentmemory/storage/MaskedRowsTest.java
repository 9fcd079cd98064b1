package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.storage.internal.recover.RawRows;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is on disk of an event after it was masked.
class MaskedRowsTest {

  private static final String SECRET = "zorp_4f7q9z2k8m1x";

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
                  .<Change>map(event ->
                      new Change.MaskEvent(event.withContent("[masked:zorp_key]", Map.of())))
                  .toList()));
      assertThat(store.events().event(events.getFirst().id()).orElseThrow().text())
          .isEqualTo("[masked:zorp_key]");
      assertThat(said(home)).as("before compaction").contains(SECRET);
      store.compact();
      assertThat(said(home)).contains("[masked:zorp_key]").doesNotContain(SECRET);
    }
    assertThat(said(home)).contains("[masked:zorp_key]").doesNotContain(SECRET);
  }

  /// All rows of all table files and logs, also those that were replaced.
  private String said(Path home) throws IOException {
    Path copy = Files.createTempDirectory(folder, "copy");
    try (Stream<Path> files = Files.list(StoreDirectory.tables(home))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    var said = new StringBuilder();
    new RawRows(copy)
        .read(
            new RawRows.Visitor() {
              @Override
              public void row(Family family, byte[] key, byte[] value) {
                said.append(new String(value, StandardCharsets.UTF_8)).append('\n');
              }

              @Override
              public void deletion(Family family, byte[] key) {}

              @Override
              public void logsBegin() {}
            });
    return said.toString();
  }
}
