package dev.agentmemory.storage;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/// The directory of a store: `LOCK` and the engine's own folder `rocksdb`, nothing else. Refuses to
/// move in where somebody else lives.
final class StoreHome implements AutoCloseable {

  private static final String TABLES = "rocksdb";

  private final Path directory;
  private final StoreLock lock;

  private StoreHome(Path directory, StoreLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /// @throws MemoryException `CONFLICT`, `UNSUPPORTED_FORMAT`, `STORAGE_FAILED`
  static StoreHome take(Path directory) {
    try {
      create(directory);
      refuseStrangers(directory);
      StoreLock lock = StoreLock.take(directory);
      create(directory.resolve(TABLES));
      return new StoreHome(directory, lock);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot use " + directory + "; check the rights on it", e);
    }
  }

  Path directory() {
    return directory;
  }

  /// The engine's folder.
  Path tables() {
    return directory.resolve(TABLES);
  }

  /// What is fixed in this store, written when there is nothing yet.
  static StoreHeader header(Engine engine, Optional<ZoneId> zone, InstantSource clock) {
    try {
      byte[] row = engine.db().get(engine.handle(Family.META), Keys.STORE);
      if (row != null) {
        StoreHeader found = StoreHeader.decode(row);
        found.checkZone(zone);
        return found;
      }
      if (engine.db().getLatestSequenceNumber() > 0) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "the database was not written by this program; choose another directory");
      }
      StoreHeader created = StoreHeader.create(zone.orElse(ZoneOffset.UTC), clock.instant());
      var batch = new BatchBytes(512);
      batch.put(engine.number(Family.META), Keys.STORE, created.encode());
      engine.write(batch.toBytes());
      return created;
    } catch (RocksDBException e) {
      throw Detour.isDamage(e)
          ? unreadable("the header of the store", e)
          : Wall.translated("while reading the header of the store", e);
    }
  }

  static Counters counters(View view) {
    try {
      byte[] row = view.get(Family.META, Keys.COUNTERS);
      return row == null ? Counters.NONE : Counters.decode(row);
    } catch (MemoryException e) {
      throw e.code() == ErrorCode.CORRUPT_RECORD ? unreadable("the counters of the store", e) : e;
    }
  }

  private static MemoryException unreadable(String what, Exception cause) {
    return new MemoryException(
        ErrorCode.CORRUPT_RECORD,
        "%s cannot be read (%s); keep a copy of the directory and restore a backup"
            .formatted(what, cause.getMessage()),
        cause);
  }

  @Override
  public void close() {
    lock.close();
  }

  private static void create(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(directory);
    FileStore disk = Files.getFileStore(directory);
    if (disk.supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static void refuseStrangers(Path directory) throws IOException {
    var ours = List.of(StoreLock.FILE, TABLES);
    try (Stream<Path> files = Files.list(directory)) {
      Optional<Path> stranger =
          files.filter(file -> !ours.contains(file.getFileName().toString())).findFirst();
      if (stranger.isPresent()) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "%s is not empty and holds %s, which is not of a store; choose another directory"
                .formatted(directory, stranger.get().getFileName()));
      }
    }
  }
}
