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

/// The directory of a store: `LOCK`, the engine's own folder `rocksdb`, and the note of whoever
/// opens it, nothing else. Refuses to move in where somebody else lives.
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

  /// The same for a directory that has to hold a store already.
  ///
  /// @throws MemoryException `NOT_FOUND` when it does not
  static StoreHome existing(Path directory) {
    if (!isThere(directory)) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no store in " + directory);
    }
    return take(directory);
  }

  static boolean isThere(Path directory) {
    return Files.exists(directory.resolve(TABLES).resolve("CURRENT"));
  }

  Path directory() {
    return directory;
  }

  /// The engine's folder.
  Path tables() {
    return directory.resolve(TABLES);
  }

  /// What is fixed in this store, written when there is nothing yet; from now on rows of today's
  /// format come into it.
  static StoreHeader header(Engine engine, Optional<ZoneId> zone, InstantSource clock) {
    Optional<StoreHeader> found = found(engine);
    StoreHeader header =
        found.isPresent()
            ? found.get().opened()
            : StoreHeader.create(zone.orElse(ZoneOffset.UTC), clock.instant());
    header.checkZone(zone);
    if (!found.equals(Optional.of(header))) {
      write(engine, header);
    }
    return header;
  }

  /// The header as it stands in a store.
  static StoreHeader header(Engine engine) {
    return found(engine).orElseThrow(() -> notOurs());
  }

  private static Optional<StoreHeader> found(Engine engine) {
    if (!engine.has(Family.META)) {
      throw notOurs();
    }
    try {
      byte[] row = engine.db().get(engine.handle(Family.META), Keys.STORE);
      if (row == null && engine.db().getLatestSequenceNumber() > 0) {
        throw notOurs();
      }
      return Optional.ofNullable(row).map(StoreHeader::decode);
    } catch (RocksDBException e) {
      throw Detour.isDamage(e)
          ? unreadable("the header of the store", e)
          : Wall.translated("while reading the header of the store", e);
    }
  }

  private static MemoryException notOurs() {
    return new MemoryException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "the database was not written by this program; choose another directory");
  }

  static void write(Engine engine, StoreHeader header) {
    var batch = new BatchBytes(512);
    batch.put(engine.number(Family.META), Keys.STORE, header.encode());
    try {
      engine.write(batch.toBytes());
    } catch (RocksDBException e) {
      throw Wall.translated("while writing the header of the store", e);
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
    var ours = List.of(StoreLock.FILE, TABLES, RocksStore.NOTE);
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
