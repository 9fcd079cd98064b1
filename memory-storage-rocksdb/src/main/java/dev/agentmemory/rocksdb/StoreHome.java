package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The directory of a store. It contains `LOCK`, the [StoreMarker], the engine's folder `rocksdb`
/// and the file [RocksStore#NOTE], and nothing else.
///
/// Idea: a store is created only where there is no part of a store. The marker and the other files
/// decide whether there is one, before the engine is called, because the engine takes a folder
/// without `CURRENT` for an empty one.
///
/// Invariant: a directory that is refused was only read.
public final class StoreHome implements AutoCloseable {

  public static final String TABLES = "rocksdb";

  /// Files that an interrupted creation can leave before the marker is complete.
  private static final List<String> BEGINNING =
      List.of(StoreLock.FILE, StoreMarker.FILE + DurableFile.DRAFT);

  private static final List<String> OURS =
      List.of(
          StoreLock.FILE,
          TABLES,
          StoreMarker.FILE,
          StoreMarker.FILE + DurableFile.DRAFT,
          RocksStore.NOTE);

  private final StoreLocation location;
  private final StoreLock lock;
  private final Origin origin;
  private Optional<StoreMarker> marker;

  /// What a directory contains.
  enum Origin {
    /// No part of a store.
    NEW,
    /// A store whose creation was interrupted. It has never stored an event.
    INTERRUPTED,
    /// A complete store.
    READY,
    /// A database without a valid marker: one of an earlier format, or a damaged one. Its header
    /// decides.
    UNMARKED
  }

  private StoreHome(
      StoreLocation location, StoreLock lock, Origin origin, Optional<StoreMarker> marker) {
    this.location = location;
    this.lock = lock;
    this.origin = origin;
    this.marker = marker;
  }

  /// Locks a directory for this process. A new store then has its marker and an empty engine
  /// folder. An existing store is not changed.
  ///
  /// @param fresh the header that a new store gets
  /// @throws MemoryException `CONFLICT`, `UNSUPPORTED_FORMAT`, `STORAGE_FAILED`, `STORE_DAMAGED`
  static StoreHome take(StoreLocation location, StoreHeader fresh) {
    Path directory = location.directory();
    try {
      Origin expected = origin(location);
      if (expected == Origin.NEW) {
        DurableFile.createDirectory(directory);
      }
      StoreLock lock = StoreLock.take(directory);
      try {
        // Another process may have created it meanwhile.
        var home =
            new StoreHome(location, lock, origin(location), StoreMarker.look(directory).believed());
        home.prepare(fresh);
        return home;
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot use %s (%s); check its permissions".formatted(directory, e.getMessage()),
          e);
    }
  }

  /// Like [#take], for a directory that must contain a store already.
  ///
  /// @throws MemoryException `NOT_FOUND` when it does not
  static StoreHome existing(StoreLocation location, StoreHeader fresh) {
    if (!isThere(location.directory())) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, "there is no store in " + location.directory());
    }
    return take(location, fresh);
  }

  /// Whether a directory contains any part of a store, intact or damaged.
  static boolean isThere(Path directory) {
    return Files.exists(directory.resolve(StoreMarker.FILE), LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(directory.resolve(TABLES), LinkOption.NOFOLLOW_LINKS)
        || hasHolder(directory);
  }

  private static Origin origin(StoreLocation location) throws IOException {
    Path directory = location.directory();
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      refuseWitnessed(location, directory + " is missing");
      return Origin.NEW;
    }
    refuseLinks(directory);
    refuseStrangers(directory);
    return switch (StoreMarker.look(directory)) {
      case StoreMarker.Look.Present(StoreMarker found)
          when found.state() != StoreMarker.State.CREATING -> {
        checkEngineFolder(directory);
        yield Origin.READY;
      }
      case StoreMarker.Look.Present _ -> {
        refuseWitnessed(location, directory + " was never completely created");
        yield Origin.INTERRUPTED;
      }
      case StoreMarker.Look.Damaged(String why) -> {
        checkEngineFolder(directory);
        yield Origin.UNMARKED;
      }
      case StoreMarker.Look.Absent() -> {
        if (isUntouched(directory)) {
          refuseWitnessed(location, directory + " is empty");
          yield Origin.NEW;
        }
        checkEngineFolder(directory);
        yield Origin.UNMARKED;
      }
    };
  }

  /// Whether no store was ever begun in a directory: it contains at most an empty lock file and an
  /// incomplete marker.
  private static boolean isUntouched(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.allMatch(file -> BEGINNING.contains(file.getFileName().toString()))
          && !hasHolder(directory);
    }
  }

  private static boolean hasHolder(Path directory) {
    try {
      return Files.size(directory.resolve(StoreLock.FILE)) > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /// Refuses the directory when a witness has recorded content, because there was a store then.
  private static void refuseWitnessed(StoreLocation location, String found) throws IOException {
    if (location.witness().isEmpty()) {
      return;
    }
    Path file = location.witness().get();
    Optional<Witness.Mark> mark = Witness.look(file).believed();
    if (mark.isPresent() && mark.get().hasContent()) {
      throw RocksErrors.damaged(
          "%s although %s says that the store has %s".formatted(found, file, mark.get().content()));
    }
  }

  private static void checkEngineFolder(Path directory) throws IOException {
    Path tables = directory.resolve(TABLES);
    if (!Files.isDirectory(tables, LinkOption.NOFOLLOW_LINKS)) {
      throw RocksErrors.damaged(
          "%s is missing although %s contains a store".formatted(tables, directory));
    }
    if (CurrentFile.manifest(tables).isEmpty()) {
      throw RocksErrors.damaged(
          "%s is missing or does not name an existing manifest"
              .formatted(tables.resolve(CurrentFile.NAME)));
    }
  }

  private void prepare(StoreHeader fresh) throws IOException {
    switch (origin) {
      case NEW, INTERRUPTED -> {
        var begun = StoreMarker.of(fresh, 1, StoreMarker.State.CREATING);
        begun.write(location.directory());
        marker = Optional.of(begun);
        delete(tables());
        DurableFile.createDirectory(tables());
        DurableFile.syncDirectory(directory());
      }
      case READY, UNMARKED -> {
        // Unchanged until all of it was read.
      }
    }
  }

  StoreLocation location() {
    return location;
  }

  Path directory() {
    return location.directory();
  }

  /// The engine's folder.
  Path tables() {
    return location.directory().resolve(TABLES);
  }

  Origin origin() {
    return origin;
  }

  boolean isNew() {
    return origin == Origin.NEW || origin == Origin.INTERRUPTED;
  }

  /// The marker; empty while a store of an earlier format has none.
  Optional<StoreMarker> marker() {
    return marker;
  }

  /// Records on disk that the store is complete and which process has it open.
  void complete(StoreMarker complete) {
    mark(complete);
    lock.announce();
  }

  /// Writes the marker, unless it is stored already.
  void mark(StoreMarker now) {
    try {
      if (!marker.equals(Optional.of(now))) {
        now.write(directory());
        marker = Optional.of(now);
      }
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s; check its permissions and the free disk space"
              .formatted(directory().resolve(StoreMarker.FILE)),
          e);
    }
  }

  @Override
  public void close() {
    lock.close();
  }

  private static void refuseLinks(Path directory) {
    for (Path path :
        List.of(directory, directory.resolve(TABLES), directory.resolve(StoreLock.FILE))) {
      if (Files.isSymbolicLink(path)) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            path + " is a symbolic link, which is not followed; replace it by the store itself");
      }
    }
  }

  private static void refuseStrangers(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Optional<Path> stranger =
          files.filter(file -> !OURS.contains(file.getFileName().toString())).findFirst();
      if (stranger.isPresent()) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            ("%s is not empty and contains %s, which does not belong to a store;"
                    + " choose another directory")
                .formatted(directory, stranger.get().getFileName()));
      }
    }
  }

  /// Deletes the files of an interrupted creation.
  private static void delete(Path tables) throws IOException {
    if (!Files.exists(tables, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.list(tables)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(tables);
  }
}
