package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void takeForReading_noLockFile_keepsWritersAway() {
    assertReadersKeepWritersAway();
    assertThat(Files.exists(directory.resolve(StoreLock.FILE))).isTrue();
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
