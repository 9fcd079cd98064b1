package dev.agentmemory.engine.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.engine.data.DirectoryMarker;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.backup.BackupDirectory;
import dev.agentmemory.rocksdb.backup.BackupProgress;
import dev.agentmemory.rocksdb.backup.BackupSource;
import dev.agentmemory.rocksdb.backup.BackupWriter;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A directory that is made of backups is a data directory when all of it is there, not before.
class RestoredDataTest {

  private static final Instant NOW = Instant.EPOCH;

  @TempDir private Path folder;

  @BeforeEach
  void backUp() {
    Path store = folder.resolve("store");
    try (RocksStore open = RocksStore.open(store, StorageConfig.DEFAULT, InstantSource.system())) {
      open.commit(Commit.append(TestEvents.messages("s", 3)));
    }
    BackupDirectory backups = BackupDirectory.create(folder.resolve("backups"), NOW);
    BackupWriter.write(
        backups.of("work"),
        backups.nextId(NOW),
        new BackupSource(store, Optional.empty(), store, NOW, "1", 0),
        BackupProgress.NONE);
  }

  private Path data() {
    return folder.resolve("data");
  }

  private void restore(BackupProgress progress) {
    var data = new RestoredData(() -> NOW, BackupDirectory.open(folder.resolve("backups")), data());
    data.restore(data.choose(List.of(), Optional.empty()), _ -> progress);
  }

  @Test
  void restore_whole_isMarked() {
    restore(BackupProgress.NONE);
    assertThat(data().resolve(DirectoryMarker.FILE)).exists();
    assertThat(RocksStore.isStore(data().resolve("db").resolve("work"))).isTrue();
  }

  @Test
  void restore_brokenOffAtItsEnd_isNotMarked() {
    assertThatThrownBy(() -> restore((_, _) -> occupy(data().resolve("db"))))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("cannot write");
    assertThat(data().resolve(DirectoryMarker.FILE)).doesNotExist();
  }

  /// Puts something into the place of a folder that is moved there at the end.
  private static void occupy(Path folder) {
    try {
      Files.createDirectories(folder.resolve("something"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
