package dev.agentmemory.rocksdb.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A directory of backups.
///
/// ```
/// agent-memory-backup.json   marks the directory as ours
/// lock                       held while a process writes backups
/// NAME/                      one folder for each workspace
///   ID.manifest              one for each backup, written last
///   files/SHA256             contents, shared by all backups of the workspace; those of encrypted
///                            backups have other names, and backups of one key share them
///   partial/                 files that are being written
///   failed.json              note that the last backup failed, with the reason
/// ```
public final class BackupDirectory {

  static final String MARKER = "agent-memory-backup.json";
  private static final String MAGIC = "agent-memory backups";
  private static final String LOCK = "lock";
  private static final int FORMAT = 1;

  /// Names of workspaces, and of the stores beside them, such as `@unified`.
  private static final Pattern NAME = Pattern.compile("@?[a-z0-9][a-z0-9._-]{0,63}");

  private static final JsonMapper JSON = new JsonMapper();

  private final Path path;
  private final @Nullable BackupKey key;

  private BackupDirectory(Path path, @Nullable BackupKey key) {
    this.path = path;
    this.key = key;
  }

  /// The same directory, for backups that are encrypted with a key. Without one, only backups that
  /// are not encrypted are read and written.
  public BackupDirectory with(BackupKey other) {
    return new BackupDirectory(path, other);
  }

  /// Whether there is a directory of backups.
  public static boolean isOne(Path path) {
    return Files.isRegularFile(path.resolve(MARKER), LinkOption.NOFOLLOW_LINKS);
  }

  /// Opens a directory of backups for reading.
  ///
  /// @throws MemoryException `NOT_FOUND` when it does not exist, `UNSUPPORTED_FORMAT` when it is
  ///   not a directory of backups or has a newer version
  public static BackupDirectory open(Path path) {
    Path marker = path.resolve(MARKER);
    if (!isOne(path)) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND,
          "%s is not a backup directory: it does not contain the file %s".formatted(path, MARKER));
    }
    try {
      check(marker, JSON.readTree(Files.readString(marker)));
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "%s cannot be read as the marker of a backup directory (%s); choose another directory"
              .formatted(marker, e.getMessage()),
          e);
    }
    return new BackupDirectory(path, null);
  }

  private static void check(Path marker, JsonNode json) {
    if (!json.path("magic").asText().equals(MAGIC)) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          marker + " was not created by agent-memory; choose another directory");
    }
    if (json.path("format").asInt() != FORMAT) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "%s has format %s and this program reads up to %d; use a newer version"
              .formatted(marker, json.path("format").asText(), FORMAT));
    }
  }

  /// Opens a directory of backups, or creates it.
  ///
  /// @throws MemoryException `UNSUPPORTED_FORMAT` when the directory has other content, `CONFLICT`
  ///   when it cannot be written
  public static BackupDirectory create(Path path, Instant now) {
    if (Files.exists(path.resolve(MARKER), LinkOption.NOFOLLOW_LINKS)) {
      return open(path);
    }
    try {
      Durable.folder(path);
      refuseStrangers(path);
      var marker = JSON.createObjectNode();
      marker.put("magic", MAGIC).put("format", FORMAT);
      marker.put("id", StoreMarker.drawId()).put("created_at_ms", now.toEpochMilli());
      DurableFile.write(path.resolve(MARKER), marker + "\n");
    } catch (IOException e) {
      throw BackupFailures.writing(path, e);
    }
    return new BackupDirectory(path, null);
  }

  private static void refuseStrangers(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      var stranger =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals(MARKER + ".new"))
              .findFirst();
      if (stranger.isPresent()) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            ("%s contains %s and is not a backup directory (it has no %s);"
                    + " choose an empty or new directory")
                .formatted(path, stranger.get(), MARKER));
      }
    }
  }

  public Path path() {
    return path;
  }

  /// Locks the directory: no other process can write backups here until the lock is closed.
  ///
  /// @throws MemoryException `CONFLICT` when another process has the lock
  public Lock lock() {
    Path file = path.resolve(LOCK);
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      if (isTaken(channel)) {
        channel.close();
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "another backup is being written to %s; try again when it has finished"
                .formatted(path));
      }
      return new Lock(channel);
    } catch (IOException e) {
      throw BackupFailures.writing(file, e);
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  /// The lock for writing backups.
  public static final class Lock implements AutoCloseable {

    private final FileChannel channel;

    private Lock(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED, "cannot release the lock of the backups", e);
      }
    }
  }

  /// Names of the workspaces that have a folder here, in order.
  public List<String> names() {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> file.getFileName().toString())
          .filter(name -> NAME.matcher(name).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw BackupFailures.reading(path, e);
    }
  }

  /// The backups of a workspace, which may be none.
  ///
  /// @throws IllegalArgumentException when the name is not valid
  public WorkspaceBackups of(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a workspace's name: " + name);
    }
    return new WorkspaceBackups(name, path.resolve(name), key);
  }

  /// The id for a run that begins now. Its number is higher than that of every backup here.
  public String nextId(Instant now) {
    long highest =
        names().stream()
            .flatMap(name -> of(name).ids().stream())
            .mapToLong(BackupManifest::number)
            .max()
            .orElse(0);
    return BackupManifest.id(highest + 1, now);
  }
}
