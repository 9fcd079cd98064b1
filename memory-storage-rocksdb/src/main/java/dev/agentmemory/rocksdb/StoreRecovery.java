package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.NativeMemory;
import dev.agentmemory.rocksdb.internal.home.StoreLock;
import dev.agentmemory.rocksdb.internal.home.Witness;
import dev.agentmemory.rocksdb.internal.recover.CurrentRecords;
import dev.agentmemory.rocksdb.internal.recover.DerivedRows;
import dev.agentmemory.rocksdb.internal.recover.ManifestCopy;
import dev.agentmemory.rocksdb.internal.recover.RawRows;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/// Creates a new store from everything that can be read in the files of another one. The other
/// store is not changed.
///
/// Idea: events are written once and never replaced. So every row of an event counts, in whichever
/// file it is and whatever the manifest says about that file ([RawRows]). Rows that are derived
/// from events are copied where they are intact, and built again otherwise. Rows that refer to an
/// event, and the counters, show which events existed; a reference without an event is a missing
/// event. Rows of modules are replaced and deleted, and nothing refers to them: the engine says
/// which of their states is current ([CurrentRecords]), and the counters show how many there were.
///
/// The new store has the next generation. Its outbox has a new entry for every event, above the
/// highest known sequence, so every consumer processes all events again.
public final class StoreRecovery {

  private final StoreLocation source;
  private final StoreLocation target;
  private final StorageConfig config;
  private final InstantSource clock;

  /// @param source of the store to read; no process may have it open
  /// @param target must not exist
  public StoreRecovery(
      StoreLocation source, StoreLocation target, StorageConfig config, InstantSource clock) {
    this.source = source;
    this.target = target;
    this.config = config;
    this.clock = clock;
  }

  /// Recovers the store. When it fails, the target is removed.
  ///
  /// @throws MemoryException `CONFLICT` when a process has the source open or something is at the
  ///   target, `NOT_FOUND` when there is no store, `STORAGE_FAILED` when a disk refuses
  public RecoveryReport run() {
    checkPlaces();
    Path copy = copyFolder();
    try (var _ = StoreLock.takeForReading(source.directory())) {
      copy(copy);
      return recovered(copy);
    } catch (IOException | RocksDBException e) {
      StoreDirectory.delete(target.directory());
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot recover %s into %s (%s); check the free disk space and the permissions"
              .formatted(source.directory(), target.directory(), e.getMessage()),
          e);
    } catch (RuntimeException e) {
      StoreDirectory.delete(target.directory());
      throw e;
    } finally {
      StoreDirectory.delete(copy);
    }
  }

  /// Removes the recovered store.
  public void discard() {
    StoreDirectory.delete(target.directory());
  }

  private void checkPlaces() {
    if (!StoreHome.isThere(source.directory())) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no store in " + source.directory());
    }
    if (Files.exists(target.directory(), LinkOption.NOFOLLOW_LINKS)) {
      throw new MemoryException(
          ErrorCode.CONFLICT, target.directory() + " already exists; choose a new directory");
    }
  }

  private Path copyFolder() {
    return target.directory().resolveSibling(target.directory().getFileName() + ".copy");
  }

  /// The engine writes into the files that it opens, and so does a bit repair. Both work on a copy.
  private void copy(Path copy) throws IOException {
    StoreDirectory.delete(copy);
    DurableFile.createDirectory(copy);
    Path tables = source.directory().resolve(StoreHome.TABLES);
    if (!Files.isDirectory(tables, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> files = Files.list(tables)) {
      for (Path file : files.toList()) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.copy(file, copy.resolve(file.getFileName().toString()));
        }
      }
    }
  }

  private RecoveryReport recovered(Path copy) throws IOException, RocksDBException {
    Optional<StoreMarker> marker = StoreMarker.of(source.directory());
    Optional<Witness.Mark> mark =
        source.witness().isPresent()
            ? Witness.look(source.witness().get()).believed()
            : Optional.empty();
    StoreHeader fresh = StoreHeader.create(config.zone(), clock.instant());
    try (StoreHome home = StoreHome.take(target, fresh);
        Database engine =
            Database.open(
                home.tables(),
                config,
                NativeMemory.alone(config),
                Database.Mode.CREATE,
                reading -> {})) {
      new ManifestCopy(copy).repair();
      var raw = new RawRows(copy);
      var rows = new RecoveredRows(engine, seen(mark, marker));
      raw.read(rows);
      Optional<StoreHeader> found = rows.header().or(() -> marker.map(StoreMarker::header));
      StoreHeader header = found.map(StoreHeader::opened).orElse(fresh);
      rows.finish(header, /* newDigests= */ found.isEmpty(), new CurrentRecords(copy, config));
      boolean derived =
          new DerivedRows(copy, config, header.digest()).copyTo(engine, rows.isWhole());
      new BatchWriter(engine).writeHeader(header);
      engine.syncLog();
      long generation =
          Math.max(
              marker.map(StoreMarker::generation).orElse(0L),
              mark.map(Witness.Mark::generation).orElse(0L));
      home.complete(StoreMarker.of(header, generation, StoreMarker.State.READY).nextGeneration());
      return rows.report(raw.damaged(), /* rebuilds= */ !derived, found.isEmpty());
    }
  }

  private static RecoveredRows.Seen seen(
      Optional<Witness.Mark> mark, Optional<StoreMarker> marker) {
    Optional<Witness.Mark> own = mark.filter(one -> isOfTheSame(one, marker));
    return new RecoveredRows.Seen(
        own.map(Witness.Mark::sequence).orElse(0L),
        mark.map(Witness.Mark::sequence).orElse(0L),
        own.map(Witness.Mark::recordChanges).orElse(0L));
  }

  /// A witness of another store, or of the generation before a restore, does not show what is
  /// missing.
  private static boolean isOfTheSame(Witness.Mark mark, Optional<StoreMarker> marker) {
    return marker
        .map(one -> one.storeId().equals(mark.storeId()) && one.generation() == mark.generation())
        .orElse(true);
  }
}
