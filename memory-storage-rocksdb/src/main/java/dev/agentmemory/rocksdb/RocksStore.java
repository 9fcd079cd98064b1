package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchSink;
import dev.agentmemory.rocksdb.internal.engine.CurrentFile;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.Guard;
import dev.agentmemory.rocksdb.internal.engine.MeasuredSink;
import dev.agentmemory.rocksdb.internal.engine.NativeMemory;
import dev.agentmemory.rocksdb.internal.engine.RocksErrors;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.rocksdb.internal.engine.RocksRows;
import dev.agentmemory.rocksdb.internal.engine.StoreFiles;
import dev.agentmemory.rocksdb.internal.home.DiskSpaceGuard;
import dev.agentmemory.rocksdb.internal.home.WitnessKeeper;
import dev.agentmemory.storage.RowStore;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.storage.read.CorruptionReport;
import dev.agentmemory.storage.read.MetaRows;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/// The store in RocksDB, in its own directory. Only one process at a time can have it open. Reads
/// run on the caller's thread. That should be a platform thread, because calls into the engine pin
/// virtual threads.
public final class RocksStore extends RowStore {

  /// A file in the store's directory that belongs to the code that opens the store. It holds what
  /// has to be known while the store is closed.
  public static final String NOTE = "workspace.json";

  /// The newest format that this program reads, and the one that it writes.
  public static final int FORMAT = StoreHeader.CURRENT_VERSION;

  private final RocksUpkeep upkeep;
  private final FileReader files;

  private RocksStore(
      RocksRows rows,
      StoreHeader header,
      RocksUpkeep upkeep,
      CorruptionReport damage,
      CommitQueue queue,
      InstantSource clock) {
    super(rows, header, upkeep, damage, queue, clock);
    this.upkeep = upkeep;
    this.files = new StoreFiles(upkeep.home().tables(), upkeep.engine(), upkeep.guard(), damage);
    upkeep.witness().write(acknowledged());
  }

  /// Makes a store of a database that was checked.
  private static RocksStore of(
      StoreHome home,
      Database engine,
      StorageConfig config,
      StoreOpening opening,
      InstantSource clock,
      CommitFigures measured,
      Disks disks) {
    StoreHeader header = opening.complete(engine);
    WitnessKeeper witness = opening.witness(header);
    var guard = new Guard();
    var disk =
        new DiskSpaceGuard(home.directory(), config.minFreeBytes(), disks.room(home.tables()));
    disk.look(clock.millis());
    var rows =
        new RocksRows(
            home.directory().toString(),
            engine,
            guard,
            new MeasuredSink(disks.sink(engine), measured));
    var upkeep = new RocksUpkeep(home, engine, guard, opening, disk, witness);
    var queue = new CommitQueue(config.queuedCommits(), config.queuedBytes(), measured);
    return new RocksStore(rows, header, upkeep, new CorruptionReport(clock), queue, clock);
  }

  /// Opens the store of a directory, or creates one in an empty directory.
  ///
  /// @param clock says when a new store was created
  /// @throws MemoryException `CONFLICT` when another process has the directory or the store has
  ///   another zone than the one asked for, `UNSUPPORTED_FORMAT` when a newer version or another
  ///   program wrote it, `STORE_DAMAGED` when files are missing, cannot be read or hold less than
  ///   was acknowledged, `STORAGE_FAILED` when the disk or the engine refuses. A store that was
  ///   refused is unchanged
  public static RocksStore open(Path directory, StorageConfig config, InstantSource clock) {
    return open(StoreLocation.of(directory), config, clock);
  }

  /// Like [#open(Path, StorageConfig, InstantSource)], for a store that may have a witness.
  public static RocksStore open(StoreLocation location, StorageConfig config, InstantSource clock) {
    return open(location, config, clock, new Disks() {});
  }

  /// Like the method above, with memory that is shared with other stores. The sizes of that memory
  /// apply instead of those in the configuration. Files are not compacted before
  /// [#beginCompaction].
  ///
  /// @param memory has to be closed after the store
  public static RocksStore open(
      StoreLocation location, StorageConfig config, InstantSource clock, StoreMemory memory) {
    return open(
        location,
        config,
        clock,
        memory::memory,
        memory.figures(),
        new Disks() {},
        /* compacting= */ false);
  }

  /// The layer between a store and the disk. Tests replace it by one that fails.
  interface Disks {

    default BatchSink sink(BatchSink engine) {
      return engine;
    }

    default DiskSpaceGuard.Disk room(Path directory) {
      return DiskSpaceGuard.Disk.of(directory);
    }
  }

  /// Opens a store whose disk can fail or be full.
  static RocksStore open(
      StoreLocation location, StorageConfig config, InstantSource clock, Disks disks) {
    return open(
        location,
        config,
        clock,
        () -> NativeMemory.alone(config),
        CommitFigures.untimed(),
        disks,
        /* compacting= */ true);
  }

  private static RocksStore open(
      StoreLocation location,
      StorageConfig config,
      InstantSource clock,
      Supplier<NativeMemory> memory,
      CommitFigures measured,
      Disks disks,
      boolean compacting) {
    StoreHeader fresh = StoreHeader.create(config.zone(), clock.instant());
    StoreHome home = StoreHome.take(location, fresh);
    try {
      var opening = new StoreOpening(home, config, fresh);
      Database.Mode mode = home.isNew() ? Database.Mode.CREATE : Database.Mode.EXISTING;
      Database engine =
          Database.open(home.tables(), config, memory.get(), mode, compacting, opening::check);
      try {
        var store = of(home, engine, config, opening, clock, measured, disks);
        store.start();
        return store;
      } catch (RuntimeException e) {
        engine.close();
        throw e;
      }
    } catch (RuntimeException e) {
      home.close();
      throw e;
    }
  }

  /// Whether a directory contains any part of a store, intact or damaged.
  public static boolean isStore(Path directory) {
    return StoreHome.isThere(directory);
  }

  /// Returns the format of a store if opening it would upgrade it. Changes nothing.
  ///
  /// @param directory of a store that is not open, or a directory without a store
  /// @return empty when there is no store, when it has the current format, or when opening would
  ///   not upgrade it: a store of a newer format, of another program, without a manifest, or
  ///   without a header because its creation was interrupted
  /// @throws MemoryException when the store cannot be read; it may have an earlier format
  public static Optional<Integer> formerFormat(Path directory) {
    boolean isCurrent =
        StoreMarker.of(directory).filter(marker -> marker.format() >= FORMAT).isPresent();
    if (isCurrent || !isStore(directory)) {
      return Optional.empty();
    }
    Path tables = StoreDirectory.tables(directory);
    try {
      return CurrentFile.manifest(tables).isEmpty()
          ? Optional.empty()
          : Optional.of(StoreDirectory.read(tables).format()).filter(found -> found < FORMAT);
    } catch (RocksDBException e) {
      throw Database.openFailure(tables, e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED, "cannot read " + tables + "; check its permissions", e);
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.UNSUPPORTED_FORMAT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// Rewrites all rows of a closed store in the newest format.
  ///
  /// @param location of a store that exists
  /// @param dryRun only counts; no row changes and no table is added, so the program that wrote the
  ///   store can continue to use it
  /// @throws MemoryException `NOT_FOUND` when there is no store, else as [#open]
  public static MigrationReport migrate(
      StoreLocation location, StorageConfig config, InstantSource clock, boolean dryRun) {
    StoreHeader fresh = StoreHeader.create(config.zone(), clock.instant());
    try (StoreHome home = StoreHome.existing(location, fresh)) {
      var opening = new StoreOpening(home, config, fresh);
      Database.Mode mode = dryRun ? Database.Mode.AS_IS : Database.Mode.EXISTING;
      NativeMemory memory = NativeMemory.alone(config);
      try (Database engine = Database.open(home.tables(), config, memory, mode, opening::check)) {
        StoreHeader found = opening.found().orElseThrow(StoreOpening::notOurs);
        StoreHeader header = dryRun ? found : opening.complete(engine);
        MigrationReport report = new Migration(engine, dryRun).run(header, found.oldestRows());
        if (!dryRun) {
          // From now on a store without one counts as damaged.
          WitnessKeeper witness = opening.witness(header);
          witness.write(new MetaRows(View.of(RocksReader.of(engine))).counters());
          witness.close();
        }
        return report;
      }
    }
  }

  @Override
  public FileReader files() {
    return files;
  }

  @Override
  public List<String> notes() {
    return Stream.concat(upkeep.opening().notes().stream(), upkeep.witness().problem().stream())
        .toList();
  }

  /// Lets files be compacted from now on. Compaction that meets a damaged block ends all writes
  /// until the store was reopened without it, which a caller that is still opening the workspace
  /// does not wait for.
  public void beginCompaction() {
    try (var _ = upkeep.guard().enter()) {
      upkeep.engine().beginMerging();
    }
  }

  /// Creates a directory with the current state of the store, without its lock. The log's content
  /// is first written into tables, then the engine's files are linked. The directory contains
  /// everything that was acknowledged before the call began. Reads and writes continue. The caller
  /// deletes the directory.
  ///
  /// @param directory must not exist, its parent must; on another disk than the store the files are
  ///   copied
  /// @throws MemoryException `DISK_FULL`, `STORAGE_FAILED` or `CORRUPT_RECORD` when the disk or the
  ///   engine refuses, `CLOSED`
  public void checkpoint(Path directory) {
    try (var _ = upkeep.guard().enter();
        var files = org.rocksdb.Checkpoint.create(upkeep.engine().db())) {
      DurableFile.createDirectory(directory);
      files.createCheckpoint(StoreDirectory.tables(directory).toString());
      upkeep.home().marker().orElseThrow().write(directory);
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while linking its files into " + directory, e);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          "cannot write %s (%s); check the disk and its permissions"
              .formatted(directory, e.getMessage()),
          e);
    }
  }
}
