package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Encrypted backups of the packaged daemon, made, checked and restored by its commands.
class EncryptedBackupIT {

  private static final Instant AT = Instant.parse("2026-01-30T14:30:00Z");
  private static final String WORD = "zqxjkvbwpfmg";

  /// In files of the engine. Texts are compressed in those of any backup.
  private static final String IN_FILES = "leveldb.BytewiseComparator";

  @TempDir private Path root;

  @Test
  void encryptedBackup_showsNothing_andIsRestoredWithItsKeyOnly() throws Exception {
    Path data = root.resolve("data");
    String key = root.resolve("backup.key").toString();
    String other = root.resolve("other.key").toString();
    String backups = root.resolve("backups").toString();
    assertRun(0, run(data, "backup", "key", "--output", key), "created the key ");
    assertRun(0, run(data, "backup", "key", "--output", other), "created the key ");
    assertRun(1, run(data, "backup", "key", "--output", key), "exists and was not changed");
    String secret = Files.readString(Path.of(key)).strip();

    List<Event> events;
    try (PackagedDaemon daemon =
        PackagedDaemon.start(data, "backup.directory=" + backups, "backup.key_file=" + key)) {
      daemon.client.ingest().append(TestEvents.message("s", AT, WORD));
      TestEvents.messages("t", 30).forEach(daemon.client.ingest()::append);
      events = events(daemon);
      assertRun(0, run(data, "backup", backups, "--encrypt-to", key), "31 events");
      assertThat(daemon.client.jobs().run("backup")).containsEntry("events", "31");
      assertRun(
          1, run(data, "backup", backups, "--encrypt-to", key + "2"), "key file", "does not exist");
    }

    assertThat(filesWith(root.resolve("data/db"), IN_FILES)).isNotEmpty();
    assertThat(filesWith(Path.of(backups), IN_FILES)).isEmpty();
    assertThat(filesWith(Path.of(backups), WORD)).isEmpty();
    Path contents = Path.of(backups).resolve("default/files");
    try (Stream<Path> all = Files.list(contents)) {
      assertThat(filesWith(contents, "AMENC1\r\n")).hasSameSizeAs(all.toList());
    }
    assertThat(filesWith(root, secret)).containsExactly(Path.of(key));
    assertRun(0, run(data, "backup", "list", backups), "encrypted with the key ");
    assertRun(0, run(data, "backup", "list", backups, "--key", key), "31 events");
    assertRun(0, run(data, "backup", "verify", backups, "--key", key), "all checksums match");
    assertRun(1, run(data, "backup", "verify", backups), "give its key file with --key");

    String refused = root.resolve("refused").toString();
    assertRun(1, run(data, "restore", backups, "--to", refused), "give its key file with --key");
    assertRun(
        1,
        run(data, "restore", backups, "--to", refused, "--key", other),
        "is encrypted with the key ",
        ", and the key file has the key ");
    assertThat(Path.of(refused)).doesNotExist();

    Path restored = root.resolve("restored");
    assertRun(
        0,
        run(data, "restore", backups, "--to", restored.toString(), "--key", key),
        "restored from backup");
    try (PackagedDaemon daemon = PackagedDaemon.start(restored)) {
      assertThat(events(daemon)).containsExactlyElementsOf(events);
      assertThat(daemon.client.admin().verify(100)).isEmpty();
    }

    assertRun(
        0, run(data, "backup", "scrub", backups), "2 backups affected", "nothing was deleted");
    assertRun(
        0, run(data, "backup", "scrub", backups, "--before", "2020"), "no backup is affected");
    assertRun(2, run(data, "backup", "scrub", backups, "--delete"), "--before: is missing");
    assertRun(
        0,
        run(data, "backup", "scrub", backups, "--before", "now", "--delete"),
        "2 backups deleted, ",
        " freed",
        "no other backup of it is left");
    assertThat(Path.of(backups).resolve("default/files")).isEmptyDirectory();
    assertRun(0, run(data, "backup", "list", backups), "no backups found");
  }

  private static PackagedDaemon.Run run(Path data, String... arguments) throws Exception {
    return PackagedDaemon.run(data, arguments);
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

  private static List<Event> events(PackagedDaemon daemon) {
    return Page.stream(
            PageRequest.of(1000),
            page -> daemon.client.events().between(Instant.EPOCH, AT.plusSeconds(86_400), page))
        .toList();
  }

  private static List<Path> filesWith(Path folder, String text) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).filter(file -> contains(file, text)).toList();
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
