package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A disk with errors is mounted for reading only: the stores on it can be recovered.
@Tag("slow")
class ReadOnlyDiskTest {

  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void recover_storeThatCannotBeWritten_bringsBackAll(boolean hasLock) throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Path store = disk.resolve("store");
    try (RocksStore opened = RocksStore.open(store, StorageConfig.DEFAULT, CLOCK)) {
      opened.commit(Commit.append(TestEvents.messages("s", 30)));
    }
    Files.delete(store.resolve(StoreHome.TABLES).resolve("CURRENT"));
    if (!hasLock) {
      Files.delete(store.resolve(StoreLock.FILE));
    }
    Path target = directory.resolve("saved");
    assertThat(recover(disk, store, target)).isEmpty();
    try (RocksStore opened = RocksStore.open(target, StorageConfig.DEFAULT, CLOCK)) {
      assertThat(opened.stats().events()).isEqualTo(30);
    }
  }

  /// @return what it said; empty when all went well
  private String recover(Path disk, Path store, Path target)
      throws IOException, InterruptedException {
    List<String> java = ChildJvm.command(Child.class, store.toString(), target.toString());
    Path output = directory.resolve("output.txt");
    int exit =
        new ProcessBuilder(SmallDisk.readOnly(disk, java))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    return exit == 0 ? "" : Files.readString(output);
  }

  /// Recovers a store into another one.
  static final class Child {

    static void main(String[] args) {
      RecoveryReport report =
          new StoreRecovery(
                  StoreLocation.of(Path.of(args[0])),
                  StoreLocation.of(Path.of(args[1])),
                  StorageConfig.DEFAULT,
                  CLOCK)
              .run();
      assertThat(report.isWhole()).isTrue();
    }
  }
}
