package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;

/// Directories in which a daemon must not start, and stores that it must not open: one sentence
/// says why and what to do, and nothing is changed.
class DirectoriesIT {

  @TempDir private Path root;

  @Test
  void anotherDaemonsDirectory_isRefusedNamingIt() throws Exception {
    Path data = root.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      assertRefused(data, "in use", Long.toString(daemon.pid()), "stop it");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void anotherProgramsDirectory_isRefusedAndLeftAlone() throws Exception {
    Path data = Files.createDirectory(root.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(data.resolve("notes.txt"), "mine");
    assertRefused(data, "notes.txt", "--data");
    assertThat(data).isDirectoryNotContaining(file -> !file.endsWith("notes.txt"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwxr-xr-x");
  }

  @Test
  void webProjectWithAFolderDb_isRefusedAndLeftAlone() throws Exception {
    Path project = root.resolve("project");
    Files.createDirectories(project.resolve("db/migrations"));
    Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(project.resolve("db/schema.sql"), "create table users (id int);");
    Files.writeString(project.resolve("token"), "theirs");
    String before = fingerprint(project);
    assertRefused(project, "agent-memory.json", "--data");
    PackagedDaemon.Run detached = PackagedDaemon.run(project, "start", "--port", "0");
    assertThat(detached.exit()).as(detached.output()).isEqualTo(1);
    assertThat(fingerprint(project)).isEqualTo(before);
  }

  @Test
  void strangerInsideTheStore_isRefused_andOthersAreServed() throws Exception {
    Path data = started();
    Files.writeString(data.resolve("db/default/notes.txt"), "mine");
    assertDefaultIsRefused(data, "notes.txt");
  }

  @Test
  void databaseOfAnotherProgram_isRefused_andOthersAreServed() throws Exception {
    Path data = started();
    Path tables = data.resolve("db/default/rocksdb");
    delete(tables);
    Files.createDirectories(tables);
    try (var db = RocksDB.open(tables.toString())) {
      db.put(new byte[1], new byte[1]);
    }
    assertDefaultIsRefused(data, "cannot be opened");
  }

  @Test
  void storeOfANewerVersion_isRefused_andOthersAreServed() throws Exception {
    Path data = started();
    writeHeader(
        data.resolve("db/default/rocksdb"),
        """
        {"schema_version":99,"zone":"UTC","created_at_ms":0,"digest_key":"AA=="}\
        """);
    assertDefaultIsRefused(data, "format 99", "use a newer version");
  }

  @Test
  void storeThatIsDamagedAtItsRoot_isRefused_andOthersAreServed() throws Exception {
    Path data = started();
    Files.writeString(data.resolve("db/default/rocksdb/CURRENT"), "MANIFEST-999999\n");
    assertDefaultIsRefused(data, "workspace default cannot be opened");
  }

  @Test
  void linkInPlaceOfALock_isRefused_andItsTargetNotTouched() throws Exception {
    Path data = started();
    Path target = Files.writeString(root.resolve("precious"), "theirs");
    for (String name : List.of("daemon.lock", "token", "agent-memory.json")) {
      Path file = data.resolve(name);
      byte[] kept = Files.readAllBytes(file);
      Files.delete(file);
      Files.createSymbolicLink(file, target);
      assertRefused(data, file + " is a symbolic link to " + target, "replace it");
      assertThat(target).hasContent("theirs");
      Files.delete(file);
      Files.write(file, kept);
    }
    PackagedDaemon.start(data).close();
  }

  @Test
  void dataDirectoryBehindALink_isUsed() throws Exception {
    Path real = Files.createDirectory(root.resolve("real"));
    Path link = Files.createSymbolicLink(root.resolve("link"), real);
    PackagedDaemon.start(link).close();
    assertThat(real.resolve("agent-memory.json")).exists();
    assertThat(real.resolve("db/default/rocksdb")).isDirectory();
  }

  @Test
  void tokenThatIsDamaged_isRefusedAndNotReplaced() throws Exception {
    Path data = started();
    Path token = data.resolve("token");
    byte[] good = Files.readAllBytes(token);
    byte[] flipped = good.clone();
    flipped[10] ^= 1;
    for (byte[] bad :
        List.of(
            flipped,
            new byte[0],
            Arrays.copyOf(good, 20),
            new byte[100],
            "пароль".repeat(16).getBytes(StandardCharsets.UTF_8))) {
      Files.write(token, bad);
      String before = fingerprint(data.resolve("db"));
      assertRefused(data, "the token file " + token, "delete it and start the daemon again");
      assertThat(token).hasBinaryContent(bad);
      assertThat(fingerprint(data.resolve("db"))).isEqualTo(before);
      PackagedDaemon.Run doctor = PackagedDaemon.run(data, "doctor");
      assertThat(doctor.output()).contains("the token file");
    }
    Files.delete(token);
    PackagedDaemon.start(data).close();
  }

  /// A data directory in which a daemon has run.
  private Path started() throws Exception {
    Path data = root.resolve("data");
    PackagedDaemon.start(data).close();
    return data;
  }

  private static void assertDefaultIsRefused(Path data, String... says) throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.startUnwell(data)) {
      assertThat(daemon.client.serving()).isFalse();
      for (String command : List.of("status", "doctor", "sessions")) {
        PackagedDaemon.Run run = PackagedDaemon.run(data, command);
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
        assertThat(words(run.output())).contains(says).doesNotContain("\tat ", "Exception:");
      }
      String told = words(PackagedDaemon.run(data, "status").output());
      assertThat(told.split("problem workspace default", -1)).as(told).hasSize(2);
      PackagedDaemon.Run created = PackagedDaemon.run(data, "workspaces", "create", "other");
      assertThat(created.exit()).as(created.output()).isZero();
      PackagedDaemon.Run other = PackagedDaemon.run(data, "sessions", "--workspace", "other");
      assertThat(other.exit()).as(other.output()).isZero();
      PackagedDaemon.Run status = PackagedDaemon.run(data, "status", "--workspace", "other");
      assertThat(status.exit()).as(status.output()).isZero();
      assertThat(words(status.output())).contains("workspace default cannot be opened");
      PackagedDaemon.Run unknown = PackagedDaemon.run(data, "sessions", "--workspace", "typo");
      assertThat(unknown.exit()).isEqualTo(1);
      assertThat(unknown.output()).contains("there is no workspace typo");
      PackagedDaemon.Run unasked = PackagedDaemon.run(data, "workspaces", "delete", "other");
      assertThat(unasked.exit()).as(unasked.output()).isEqualTo(2);
      assertThat(data.resolve("db/other")).isDirectory();
      PackagedDaemon.Run deleted =
          PackagedDaemon.run(data, "workspaces", "delete", "other", "--yes");
      assertThat(deleted.exit()).as(deleted.output()).isZero();
      assertThat(data.resolve("db/other")).doesNotExist();
    }
  }

  /// Output without its line breaks.
  private static String words(String output) {
    return output.replaceAll("\\s+", " ");
  }

  /// Names, rights and content of everything below a path.
  private static String fingerprint(Path path) throws IOException {
    var text = new StringBuilder();
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted().toList()) {
        text.append(file)
            .append(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .append(Files.isRegularFile(file) ? Arrays.hashCode(Files.readAllBytes(file)) : 0)
            .append('\n');
      }
    }
    return text.toString();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void assertRefused(Path data, String... says) throws Exception {
    PackagedDaemon.Run run = PackagedDaemon.run(data, "start", "--foreground", "--port", "0");
    assertThat(run.exit()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains(says).doesNotContain("\tat ", "Exception");
  }

  private static void writeHeader(Path tables, String header) throws Exception {
    List<ColumnFamilyDescriptor> families = DamagedTables.families(tables);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (var options = new DBOptions();
        var db = RocksDB.open(options, tables.toString(), families, handles)) {
      for (ColumnFamilyHandle handle : handles) {
        if (new String(handle.getName(), StandardCharsets.UTF_8).equals("meta")) {
          db.put(
              handle,
              "store".getBytes(StandardCharsets.UTF_8),
              header.getBytes(StandardCharsets.UTF_8));
        }
        handle.close();
      }
    }
  }
}
