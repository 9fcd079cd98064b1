package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The disk of the backups gets full while the packaged daemon writes one.
class BackupDiskFullIT {

  private static final int CHUNK = 1 << 20;

  @TempDir private Path root;

  private Path data = Path.of("");
  private Path target = Path.of("");

  @Test
  void diskFull_duringABackup_isTold_formerOnesStayWhole_andTheDaemonGoesOn() throws Exception {
    target = Files.createDirectory(root.resolve("backups"));
    try (PackagedDaemon daemon =
        PackagedDaemon.startBeside(
            new SmallFileSystem("32m"),
            target,
            root.resolve("data"),
            "storage.min_free=0",
            "backup.rate=2MiB",
            "search.embeddings=none")) {
      data = daemon.data;
      Path seen = SmallFileSystem.seenBy(daemon.pid(), target);
      Path ballast = seen.resolve("default").resolve("ballast");
      daemon.client.ingest().append(TestEvents.message("s", TestEvents.START, "The first event."));
      assertRun(0, run("backup", target.toString()), "1 event");
      fill(daemon);

      var backup = CompletableFuture.supplyAsync(() -> run("backup", target.toString()));
      Path partial = seen.resolve("default").resolve("partial");
      daemon.await("the first file", () -> hasFiles(partial));
      fillDisk(ballast);
      String why = "the disk of " + target.resolve("default") + " is full";
      assertRun(1, backup.get(60, TimeUnit.SECONDS), "default failed: " + why);

      assertRun(0, run("backup", "verify", seen.toString()), "all checksums match");
      assertThat(run("backup", "list", seen.toString()).output()).containsOnlyOnce(" event");
      assertRun(0, run("status"), "the last backup failed: " + why);
      assertRun(1, run("doctor"), "the last backup failed: " + why);
      daemon
          .client
          .ingest()
          .append(TestEvents.message("s", TestEvents.START.plusSeconds(5000), "Taken meanwhile."));
      assertThat(daemon.client.serving()).isTrue();
      assertRun(1, run("backup", target.toString()), "default failed: the backup needs ");

      Files.delete(ballast);
      assertRun(0, run("backup", target.toString()), "default backup ");
      assertRun(0, run("backup", "verify", seen.toString()), "all checksums match");
      assertThat(run("status").output()).doesNotContain("backup failed");
    }
  }

  /// Words that cannot be compressed much, 6 MiB of them.
  private static void fill(PackagedDaemon daemon) {
    var random = new Random(5);
    for (int i = 0; i < 60; i++) {
      var text = new StringBuilder("Note " + i + ".");
      while (text.length() < 100_000) {
        text.append(' ').append(Long.toString(random.nextLong(), Character.MAX_RADIX));
      }
      daemon
          .client
          .ingest()
          .append(TestEvents.message("s", TestEvents.START.plusSeconds(i + 1), text.toString()));
    }
  }

  private static void fillDisk(Path ballast) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] chunk = new byte[CHUNK];
      for (int size = CHUNK; size > 0; size /= 2) {
        writeUntilFull(out, chunk, size);
      }
    }
  }

  private static void writeUntilFull(OutputStream out, byte[] chunk, int size) {
    try {
      while (true) {
        out.write(chunk, 0, size);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private static boolean hasFiles(Path folder) {
    String[] files = folder.toFile().list();
    return files != null && files.length > 0;
  }

  private PackagedDaemon.Run run(String... arguments) {
    try {
      return PackagedDaemon.run(data, arguments);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRun(int exit, PackagedDaemon.Run run, String... texts) {
    assertThat(run.exit()).as(run.output()).isEqualTo(exit);
    assertThat(run.output()).doesNotContain("Exception");
    for (String text : texts) {
      assertThat(unbroken(run.output())).contains(unbroken(text));
    }
  }

  /// A path can be broken where a line ends.
  private static String unbroken(String text) {
    return text.replaceAll("\\s", "");
  }
}
