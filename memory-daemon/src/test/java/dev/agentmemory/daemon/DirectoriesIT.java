package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/// Directories in which a daemon must not start: one sentence says why and what to do.
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
  void strangerInsideTheStore_isRefused() throws Exception {
    Path data = root.resolve("data");
    Files.createDirectories(data.resolve("db/default"));
    Files.writeString(data.resolve("db/default/notes.txt"), "mine");
    assertRefused(data, "notes.txt", "choose another directory");
  }

  @Test
  void databaseOfAnotherProgram_isRefused() throws Exception {
    Path data = root.resolve("data");
    Path tables = Files.createDirectories(data.resolve("db/default/rocksdb"));
    try (var db = RocksDB.open(tables.toString())) {
      db.put(new byte[1], new byte[1]);
    }
    assertRefused(data, "not written by this program", "choose another directory");
  }

  @Test
  void storeOfANewerVersion_isRefused() throws Exception {
    Path data = root.resolve("data");
    PackagedDaemon.start(data).close();
    writeHeader(
        data.resolve("db/default/rocksdb"),
        """
        {"schema_version":99,"zone":"UTC","created_at_ms":0,"digest_key":"AA=="}\
        """);
    assertRefused(data, "format 99", "use a newer version");
  }

  @Test
  void storeThatIsDamagedAtItsRoot_isRefused() throws Exception {
    Path data = root.resolve("data");
    PackagedDaemon.start(data).close();
    Files.writeString(data.resolve("db/default/rocksdb/CURRENT"), "MANIFEST-999999\n");
    assertRefused(data, "db/default", "look at the disk");
  }

  private static void assertRefused(Path data, String... says) throws Exception {
    PackagedDaemon.Run run = PackagedDaemon.run(data, "start", "--foreground", "--port", "0");
    assertThat(run.exit()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains(says).doesNotContain("\tat ", "Exception");
  }

  private static void writeHeader(Path tables, String header) throws Exception {
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    try (var options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, tables.toString())) {
        families.add(new ColumnFamilyDescriptor(name));
      }
    }
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
