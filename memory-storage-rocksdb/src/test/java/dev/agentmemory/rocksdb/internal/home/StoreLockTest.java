package dev.agentmemory.rocksdb.internal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLockTest {

  @TempDir private Path directory;

  @Test
  void takeForReading_storeThatWasLockedBefore_keepsWritersAway() {
    StoreLock.take(directory).close();
    assertReadersKeepWritersAway();
  }

  @Test
  void takeForReading_noLockFile_keepsWritersAway_andLeavesNone() {
    assertReadersKeepWritersAway();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void close_fileOfThisAttempt_staysOnceItWasAnnounced() {
    try (StoreLock lock = StoreLock.take(directory)) {
      lock.announce();
    }
    assertThat(directory.resolve(StoreLock.FILE)).isNotEmptyFile();
    StoreLock.take(directory).close();
    assertThat(directory.resolve(StoreLock.FILE)).isNotEmptyFile();
  }

  /// Whoever locks a file that was removed meanwhile would share the store with the next one.
  @Test
  void take_fileRemovedBeforeItIsLocked_meetsWhoeverHasTheNextOne() {
    StoreLock first = StoreLock.take(directory);
    var next = new ArrayList<StoreLock>();
    Runnable meanwhile =
        () -> {
          if (next.isEmpty()) {
            first.close();
            next.add(StoreLock.take(directory));
          }
        };
    MemoryException refusal =
        catchThrowableOfType(
            MemoryException.class, () -> StoreLock.take(directory, meanwhile).close());
    assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
    next.getFirst().close();
    assertThat(directory).isEmptyDirectory();
  }

  private void assertReadersKeepWritersAway() {
    try (StoreLock lock = StoreLock.takeForReading(directory)) {
      assertThat(lock).isNotNull();
      MemoryException refusal =
          catchThrowableOfType(MemoryException.class, () -> StoreLock.take(directory));
      assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
    }
    StoreLock.take(directory).close();
  }
}
