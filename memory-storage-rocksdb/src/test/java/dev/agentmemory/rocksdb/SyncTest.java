package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.testkit.SyncedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That small files, and the directories that name them, are synced: only a power failure would
/// show it otherwise.
class SyncTest {

  private static final Witness.Mark FIRST = new Witness.Mark("id", 1, 1, 0, "", 0);
  private static final Witness.Mark SECOND = new Witness.Mark("id", 1, 2, 0, "", 0);

  @TempDir private Path data;

  @Test
  void witness_isSyncedWhenItBeginsAndWithEachMark() throws IOException {
    Path file = data.resolve("witness").resolve("default");
    assertThat(SyncedFiles.by(data, () -> Witness.start(file, FIRST).close()))
        .containsExactly(data, file, file.getParent());
    assertThat(SyncedFiles.by(data, () -> Witness.start(file, FIRST).close()))
        .containsExactly(file);
    try (Witness witness = Witness.start(file, FIRST)) {
      assertThat(SyncedFiles.by(data, () -> witness.write(SECOND))).containsExactly(file);
      assertThat(SyncedFiles.by(data, () -> witness.write(SECOND))).isEmpty();
    }
  }

  @Test
  void newStore_hasItsMarkerAndItsFolderOnDiskBeforeTheEngineBegins() throws IOException {
    Path store = data.resolve("store");
    Path draft = DurableFile.draft(store.resolve(StoreMarker.FILE));
    StoreHeader fresh = StoreHeader.create(Optional.empty(), Instant.EPOCH);
    assertThat(SyncedFiles.by(data, () -> StoreHome.take(StoreLocation.of(store), fresh).close()))
        .as("the directory; the marker and its name; the engine's folder")
        .containsExactly(data, draft, store, store, store);
  }
}
