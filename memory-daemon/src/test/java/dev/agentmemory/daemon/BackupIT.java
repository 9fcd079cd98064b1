package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.data.DirectoryMarker;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.GoldenStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Backups of the packaged daemon, made, checked and restored by its commands.
class BackupIT {

  private static final Pattern ID = Pattern.compile("\\d{6}-\\d{8}T\\d{6}Z");
  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  @TempDir private Path root;

  private Path backups() {
    return root.resolve("backups");
  }

  @Test
  void backups_ofARunningDaemon_areCheckedAndRestored() throws Exception {
    Path data = root.resolve("data");
    List<Event> early;
    List<Event> all;
    Optional<String> day;
    String first;
    String second;
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      ingest(daemon, "early", 60);
      daemon.awaitComplete();
      early = events(daemon);
      first = backUp(data);
      ingest(daemon, "late", 60);
      daemon.awaitComplete();
      all = events(daemon);
      day = words(daemon);
      second = backUp(data, "--index");

      assertRun(0, run(data, "backup", "list", backups().toString()), first, second, "120 events");
      assertRun(0, run(data, "backup", "verify", backups().toString()), first, second);
      assertRun(
          2, run(data, "backup", data.resolve("db").resolve("inside").toString()), "directory");
      assertRun(1, run(data, "backup", backups().toString(), "--workspace", "nobody"), "nobody");
      assertThat(daemon.client.serving()).isTrue();
    }

    Path older = root.resolve("older");
    assertRun(
        0, run(data, "restore", backups().toString(), "--to", older.toString(), "--id", first));
    try (PackagedDaemon daemon = PackagedDaemon.start(older)) {
      assertThat(events(daemon)).containsExactlyElementsOf(early);
      assertThat(daemon.client.admin().verify(100)).isEmpty();
    }

    Path newer = root.resolve("newer");
    assertRun(0, run(data, "restore", backups().toString(), "--to", newer.toString()));
    assertThat(newer.resolve("index/default/1")).isNotEmptyDirectory();
    try (PackagedDaemon daemon = PackagedDaemon.start(newer)) {
      assertThat(events(daemon)).containsExactlyElementsOf(all);
      daemon.awaitComplete();
      assertThat(words(daemon)).isEqualTo(day);
      assertThat(daemon.client.admin().verify(100)).isEmpty();
      ingest(daemon, "after", 1);
    }
    assertRun(
        1, run(data, "restore", backups().toString(), "--to", newer.toString()), "empty or new");

    Path flipped = largest(backups().resolve("default/files"));
    byte[] bytes = Files.readAllBytes(flipped);
    bytes[bytes.length / 3] ^= 4;
    Files.write(flipped, bytes);
    assertRun(
        1,
        run(data, "backup", "verify", backups().toString()),
        flipped.getFileName().toString().substring(0, 20));
    Path refused = root.resolve("refused");
    assertRun(
        1, run(data, "restore", backups().toString(), "--to", refused.toString()), "has changed");
    assertThat(refused).isEmptyDirectory();
  }

  @Test
  void job_makesBackupsAndKeepsTheNewest_andItsFailureShows() throws Exception {
    Path data = root.resolve("data");
    try (PackagedDaemon daemon =
        PackagedDaemon.start(data, "backup.directory=" + backups(), "backup.keep=2")) {
      for (int i = 0; i < 3; i++) {
        ingest(daemon, "s" + i, 5);
        assertThat(daemon.client.jobs().run("backup")).containsEntry("events", "" + 5 * (i + 1));
      }
      assertThat(ids(run(data, "backup", "list", backups().toString()))).hasSize(2);

      Files.move(backups(), root.resolve("gone"));
      Files.writeString(backups(), "no directory");
      assertRun(1, run(data, "jobs", "run", "backup"), "backups");
      daemon.await("the problem", () -> !daemon.client.admin().status().problems().isEmpty());
      assertThat(daemon.client.admin().status().problems())
          .anyMatch(problem -> problem.startsWith("the last backup failed"));
      assertThat(daemon.client.serving()).isTrue();
      assertToldOnce(data, "cannot write " + backups());
    }
  }

  /// The workspace, its problems and its jobs know of the same failure.
  private static void assertToldOnce(Path data, String why) throws Exception {
    PackagedDaemon.Run doctor = run(data, "doctor");
    assertThat(doctor.exit()).isEqualTo(1);
    assertThat(unbroken(doctor.output())).containsOnlyOnce(unbroken(why));
    PackagedDaemon.Run status = run(data, "status");
    assertThat(unbroken(status.output()))
        .containsOnlyOnce(unbroken("the last backup failed: " + why));
  }

  /// A path can be broken where a line ends.
  private static String unbroken(String text) {
    return text.replaceAll("\\s", "");
  }

  /// Two of three stores are broken, of which one has a backup.
  @Test
  void storesThatAreBroken_areNamed_othersAreBackedUp_andRestoringTellsWhatIsMissing()
      throws Exception {
    Path data = root.resolve("data");
    String first;
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      ingest(daemon, "early", 5);
      assertRun(0, run(data, "workspaces", "create", "billing"));
      first = backUp(data);
      assertRun(0, run(data, "workspaces", "create", "website"));
      ingest(daemon, "late", 5);
    }
    Path billing = data.resolve("db/billing/rocksdb/CURRENT");
    Path website = data.resolve("db/website/rocksdb/CURRENT");
    byte[] ofBilling = removed(billing);
    byte[] ofWebsite = removed(website);
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      PackagedDaemon.Run made = run(data, "backup", backups().toString());
      assertRun(1, made, "default backup ", "10 events", "billing failed: ", "website failed: ");
      String second = ids(made).getFirst();
      assertRun(
          0, run(data, "backup", "list", backups().toString()), "website " + second + ": failed: ");
      assertRun(0, run(data, "backup", "verify", backups().toString()), first, second);

      PackagedDaemon.Run restored = restore("part");
      assertRun(
          1,
          restored,
          "default restored from backup " + second,
          "billing restored from backup " + first,
          "the later backup " + second + " failed: workspace billing cannot be opened",
          "website not restored: its backup " + second + " failed: ");
      assertRun(
          1,
          run(data, "restore", backups().toString(), "--to", root.resolve("json") + "", "--json"),
          "\"later_failure\" : \"workspace billing",
          "\"not_restored\" : [ { \"workspace\" : \"website\"");
      assertRun(0, restore("one", "--workspace", "default"));

      Files.write(billing, ofBilling);
      Files.write(website, ofWebsite);
      daemon.await("a backup of all stores", () -> exit(data, "backup", backups().toString()) == 0);
      assertThat(run(data, "backup", "list", backups().toString()).output())
          .doesNotContain("failed");
      assertRun(0, restore("whole"));
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(root.resolve("part"))) {
      assertThat(events(daemon)).hasSize(10);
    }
  }

  private static byte[] removed(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    Files.delete(file);
    return content;
  }

  private PackagedDaemon.Run restore(String to, String... more) throws Exception {
    var arguments = new ArrayList<>(List.of("restore", backups().toString()));
    arguments.addAll(List.of("--to", root.resolve(to).toString()));
    arguments.addAll(List.of(more));
    return run(root.resolve("nobody"), arguments.toArray(String[]::new));
  }

  private static int exit(Path data, String... arguments) {
    try {
      return run(data, arguments).exit();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void storeOfAFormerFormat_isBackedUpBeforeItIsUpgraded() throws Exception {
    Path data = Files.createDirectories(root.resolve("data"));
    Files.createDirectories(data.resolve("db"));
    GoldenStore.FORMAT_2.unpack(data.resolve("db"));
    DirectoryMarker.write(data, Instant.EPOCH);
    List<Event> upgraded;
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      upgraded = events(daemon);
      assertThat(upgraded).hasSize(GoldenStore.EVENTS);
    }
    List<Path> made;
    try (Stream<Path> all = Files.list(data.resolve("backups"))) {
      made = all.toList();
    }
    assertThat(made).hasSize(1);
    String directory = made.getFirst().toString();
    assertRun(0, run(data, "backup", "verify", directory), "all checksums match");
    Path restored = root.resolve("restored");
    assertRun(0, run(data, "restore", directory, "--to", restored.toString()));
    try (PackagedDaemon daemon = PackagedDaemon.start(restored, "backup.before_upgrade=false")) {
      assertThat(events(daemon)).containsExactlyElementsOf(upgraded);
    }
    assertThat(restored.resolve("backups")).doesNotExist();
    // The second start has nothing to back up.
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      assertThat(daemon.client.serving()).isTrue();
    }
    assertThat(ids(run(data, "backup", "list", directory))).hasSize(1);
  }

  private String backUp(Path data, String... more) throws Exception {
    var arguments = new ArrayList<>(List.of("backup", backups().toString()));
    arguments.addAll(List.of(more));
    PackagedDaemon.Run made = run(data, arguments.toArray(String[]::new));
    assertRun(0, made, "default");
    return ids(made).getFirst();
  }

  private static List<String> ids(PackagedDaemon.Run made) {
    Matcher found = ID.matcher(made.output());
    return found.results().map(result -> result.group()).distinct().toList();
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

  private static void ingest(PackagedDaemon daemon, String session, int count) {
    for (Event event : TestEvents.messages(session, count)) {
      daemon.client.ingest().append(event);
    }
  }

  private static List<Event> events(PackagedDaemon daemon) {
    return Page.stream(
            PageRequest.of(1000), page -> daemon.client.events().between(Instant.EPOCH, FAR, page))
        .toList();
  }

  private static Optional<String> words(PackagedDaemon daemon) {
    return daemon
        .client
        .contents()
        .node(NodeId.parse("toc:day:2026-01-30").orElseThrow())
        .map(node -> node.title() + node.bullets());
  }

  private static Path largest(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
    }
  }
}
