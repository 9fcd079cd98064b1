package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That small files, and the directories that name them, are synced: only a power failure would
/// show it otherwise. The JDK's flight recorder tells what was.
class SyncTest {

  private static final Witness.Mark FIRST = new Witness.Mark("id", 1, 1, 0, "", 0);
  private static final Witness.Mark SECOND = new Witness.Mark("id", 1, 2, 0, "", 0);

  @TempDir private Path data;

  private interface Action {
    void run() throws IOException;
  }

  /// The files and directories that are synced by something, in order.
  private List<Path> syncedBy(Action action) throws IOException {
    Path file = Files.createTempFile(data, "flight", ".jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    String thread = Thread.currentThread().getName();
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getThread().getJavaName().equals(thread))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .map(event -> Path.of(event.getString("path")))
        .toList();
  }

  @Test
  void write_syncsTheContentAndThenTheName() throws IOException {
    Path file = data.resolve("note.json");
    assertThat(syncedBy(() -> DurableFile.write(file, "text".getBytes(StandardCharsets.UTF_8))))
        .containsExactly(DurableFile.draft(file), data);
  }

  @Test
  void witness_isSyncedWhenItBeginsAndWithEachMark() throws IOException {
    Path file = data.resolve("witness").resolve("default");
    assertThat(syncedBy(() -> Witness.start(file, FIRST).close()))
        .containsExactly(data, file, file.getParent());
    assertThat(syncedBy(() -> Witness.start(file, FIRST).close())).containsExactly(file);
    try (Witness witness = Witness.start(file, FIRST)) {
      assertThat(syncedBy(() -> witness.write(SECOND))).containsExactly(file);
      assertThat(syncedBy(() -> witness.write(SECOND))).isEmpty();
    }
  }

  @Test
  void newStore_hasItsMarkerAndItsFolderOnDiskBeforeTheEngineBegins() throws IOException {
    Path store = data.resolve("store");
    Path draft = DurableFile.draft(store.resolve(StoreMarker.FILE));
    StoreHeader fresh = StoreHeader.create(Optional.empty(), Instant.EPOCH);
    assertThat(syncedBy(() -> StoreHome.take(StoreLocation.of(store), fresh).close()))
        .as("the directory; the marker and its name; the engine's folder")
        .containsExactly(data, draft, store, store, store);
  }
}
