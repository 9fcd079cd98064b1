package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The packaged daemon on a disk that gets full.
class DiskFullIT {

  @TempDir private Path directory;

  private final List<Event> acknowledged = new ArrayList<>();
  private int next;

  /// @param minFree 0: the engine runs into the end of the disk
  @ParameterizedTest
  @ValueSource(strings = {"16MiB", "0"})
  void diskFull_ingestIsRefusedReadsGoOn_andRoomIsEnoughToGoOn(String minFree) throws Exception {
    try (PackagedDaemon daemon =
        PackagedDaemon.startOn(
            new SmallFileSystem("96m"),
            directory,
            "storage.min_free=" + minFree,
            "storage.write_buffer=4MiB")) {
      Path ballast = daemon.data.resolve("ballast");
      Files.write(ballast, new byte[40 << 20]);
      Event refused = fill(daemon);

      if (!minFree.equals("0")) {
        // Without the margin the engine may free a little room by itself and go on at any moment.
        assertTold(daemon);
      }
      assertThat(
              daemon
                  .client
                  .events()
                  .between(TestEvents.START, TestEvents.START.plusSeconds(5), PageRequest.of(10))
                  .items())
          .isNotEmpty()
          .isSubsetOf(acknowledged);

      Files.delete(ballast);
      daemon.await("the refused event taken", () -> isTaken(daemon, refused));
      daemon.await("a daemon that serves again", daemon.client::serving);
      acknowledged.add(refused);
      daemon.awaitComplete();
      assertThat(daemon.client.admin().status().store().events()).isEqualTo(acknowledged.size());
      assertThat(daemon.client.admin().status().store().deadLetters()).isZero();
      assertThat(daemon.client.admin().verify(10)).isEmpty();
    }
  }

  private static void assertTold(PackagedDaemon daemon) throws Exception {
    daemon.await("a sign that nothing is taken", () -> !daemon.client.serving());
    assertThat(daemon.client.admin().status().problems())
        .anyMatch(why -> why.contains("free some disk space"));
    assertThat(PackagedDaemon.run(daemon.data, "status").output().replaceAll("\\s+", " "))
        .contains("free some disk space");
    PackagedDaemon.Run doctor = PackagedDaemon.run(daemon.data, "doctor");
    assertThat(doctor.exit()).isEqualTo(1);
    assertThat(doctor.output()).contains("storage.min_free").doesNotContain("\tat ");
  }

  private static boolean isTaken(PackagedDaemon daemon, Event event) {
    try {
      daemon.client.ingest().append(event);
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
      return false;
    }
  }

  /// @return the first event that was refused
  private Event fill(PackagedDaemon daemon) {
    while (next < 10_000) {
      Event event = large();
      try {
        daemon.client.ingest().append(event);
        acknowledged.add(event);
      } catch (MemoryException e) {
        assertThatExceptionOfType(MemoryException.class)
            .isThrownBy(() -> {
              throw e;
            })
            .withMessageContaining("MiB are free")
            .satisfies(why -> assertThat(why.code()).isEqualTo(ErrorCode.DISK_FULL));
        return event;
      }
    }
    throw new AssertionError("the disk never got full");
  }

  /// Words that cannot be compressed much.
  private Event large() {
    var random = new Random(next);
    var text = new StringBuilder("Note " + next + ".");
    while (text.length() < 100_000) {
      text.append(' ').append(Long.toString(random.nextLong(), Character.MAX_RADIX));
    }
    return TestEvents.message(
        "s" + next % 3, TestEvents.START.plusSeconds(next++), text.toString());
  }
}
