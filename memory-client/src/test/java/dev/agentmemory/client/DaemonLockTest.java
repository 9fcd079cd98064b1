package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonLockTest {

  @TempDir private Path data;

  @Test
  void holder_noFile_isNobody_andNoFileIsMade() throws Exception {
    assertThat(DaemonLock.holder(data)).isEmpty();
    assertThat(DaemonLock.in(data)).doesNotExist();
  }

  @Test
  void holder_fileOfOneThatHasEnded_isNobody_andTheLockIsFree() throws Exception {
    Files.writeString(DaemonLock.in(data), "pid=4711\n");
    assertThat(DaemonLock.holder(data)).isEmpty();
    try (FileChannel channel = open();
        FileLock lock = channel.tryLock()) {
      assertThat(lock).isNotNull();
    }
    assertThat(DaemonLock.in(data)).hasContent("pid=4711");
  }

  @Test
  void holder_heldLock_isTheProcessThatSaysSo() throws Exception {
    try (FileChannel channel = open();
        FileLock lock = channel.lock()) {
      assertThat(lock.isShared()).isFalse();
      assertThat(DaemonLock.holder(data)).contains(new DaemonLock(-1));
      Files.writeString(DaemonLock.in(data), "pid=4711\n");
      assertThat(DaemonLock.holder(data)).contains(new DaemonLock(4711));
      Files.writeString(DaemonLock.in(data), "pid=");
      assertThat(DaemonLock.holder(data)).contains(new DaemonLock(-1));
    }
  }

  private FileChannel open() throws Exception {
    return FileChannel.open(
        DaemonLock.in(data), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
