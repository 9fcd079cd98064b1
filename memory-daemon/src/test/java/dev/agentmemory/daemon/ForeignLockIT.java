package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.LockHolder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program that is no daemon has the lock of a data directory.
class ForeignLockIT {

  /// Longer than what Java tells of the command line of a process.
  private static final String LONG = "x".repeat(100_000);

  @TempDir private Path data;

  @Test
  void stop_holderIsAnotherJavaProgramWithAVeryLongCommandLine_leavesItAlone() throws Exception {
    Path lock = Files.createFile(data.resolve("daemon.lock"));
    try (LockHolder holder = LockHolder.alone(lock, LONG)) {
      Files.writeString(lock, "pid=" + holder.pid());
      PackagedDaemon.Run stop = PackagedDaemon.run(data, "stop", "--force");
      assertThat(stop.exit()).isEqualTo(1);
      assertThat(stop.output())
          .contains("is locked by process " + holder.pid() + ", which is not visible as a daemon")
          .doesNotContain("xxx");
      assertThat(holder.isAlive()).isTrue();
      for (String command : new String[] {"status", "toc", "search x", "doctor", "backup b"}) {
        PackagedDaemon.Run run = PackagedDaemon.run(data, command.split(" ", -1));
        assertThat(run.exit()).as(command).isEqualTo(3);
        assertThat(run.output().replaceAll("\\s+", " ")).contains("accepts no calls");
      }
    }
  }
}
