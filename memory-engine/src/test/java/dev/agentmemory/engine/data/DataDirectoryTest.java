package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.testkit.LockHolder;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That one daemon has a directory, and that commands that look whether one has it are no daemons.
class DataDirectoryTest {

  @TempDir private Path folder;
  private DataDirectory directory;
  private Path file;

  @BeforeEach
  void lockFile() throws Exception {
    Path data = folder.resolve("data");
    directory = new DataDirectory(InstantSource.system(), data, data.resolve("db"));
    file = Files.createFile(data.resolve("daemon.lock"));
  }

  @Test
  void lock_commandLooksWhetherItIsTaken_isWaitedFor() throws Exception {
    LockHolder command = LockHolder.of(file);
    var lock = new FutureTask<>(directory::lock);
    Thread daemon = Thread.ofPlatform().start(lock);
    var never = new CountDownLatch(1);
    while (daemon.isAlive() && daemon.getState() != Thread.State.TIMED_WAITING) {
      assertThat(never.await(1, TimeUnit.MILLISECONDS)).isFalse();
    }
    command.close();
    lock.get(30, TimeUnit.SECONDS).close();
    assertThat(file).hasContent("pid=" + ProcessHandle.current().pid());
  }

  @Test
  void lock_heldByAnotherProcessForLonger_isRefused() throws Exception {
    Files.writeString(file, "pid=4711");
    try (var _ = LockHolder.of(file)) {
      assertThatThrownBy(directory::lock)
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
          .hasMessageContaining("pid=4711");
    }
    assertThat(file).hasContent("pid=4711");
  }
}
