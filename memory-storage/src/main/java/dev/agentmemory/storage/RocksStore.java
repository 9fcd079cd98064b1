package dev.agentmemory.storage;

import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.Prepared;
import dev.agentmemory.storage.internal.commit.CommitThread;
import dev.agentmemory.storage.internal.commit.DiskSpaceGuard;
import dev.agentmemory.storage.internal.commit.DurableProgress;
import dev.agentmemory.storage.internal.commit.Encoder;
import dev.agentmemory.storage.internal.commit.GroupWriter;
import dev.agentmemory.storage.internal.commit.MeasuredSink;
import dev.agentmemory.storage.internal.commit.PendingState;
import dev.agentmemory.storage.internal.home.StoreHeader;
import dev.agentmemory.storage.internal.home.WitnessKeeper;
import dev.agentmemory.storage.internal.read.CheckpointRows;
import dev.agentmemory.storage.internal.read.CorruptionReport;
import dev.agentmemory.storage.internal.read.DerivedScan;
import dev.agentmemory.storage.internal.read.EventRows;
import dev.agentmemory.storage.internal.read.GripRows;
import dev.agentmemory.storage.internal.read.OutboxRows;
import dev.agentmemory.storage.internal.read.RecordRows;
import dev.agentmemory.storage.internal.read.SegmentRows;
import dev.agentmemory.storage.internal.read.SessionRows;
import dev.agentmemory.storage.internal.read.StoreFiles;
import dev.agentmemory.storage.internal.read.TocRows;
import dev.agentmemory.storage.internal.read.UsageRows;
import dev.agentmemory.storage.internal.read.View;
import dev.agentmemory.storage.internal.rocksdb.BatchSink;
import dev.agentmemory.storage.internal.rocksdb.CurrentFile;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Guard;
import dev.agentmemory.storage.internal.rocksdb.NativeMemory;
import dev.agentmemory.storage.internal.rocksdb.RocksErrors;
import dev.agentmemory.storage.internal.verify.Findings;
import dev.agentmemory.storage.internal.verify.Verifier;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DamageReport;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.FileReader;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxReader;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreStats;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.store.UsageReader;
import dev.agentmemory.store.derived.DerivedReader;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/// The store in RocksDB, in its own directory. Only one process at a time can have it open.
///
/// One thread at a time writes, and syncs once for all commits that wait. Reads run on the caller's
/// thread. That should be a platform thread, because calls into the engine pin virtual threads.
public final class RocksStore implements MemoryStore {

  /// A file in the store's directory that belongs to the code that opens the store. It holds what
  /// has to be known while the store is closed.
  public static final String NOTE = "workspace.json";

  /// The newest format that this program reads, and the one that it writes.
  public static final int FORMAT = StoreHeader.CURRENT_VERSION;

  private final StoreHome home;
  private final Database engine;
  private final Guard guard = new Guard();
  private final CorruptionReport damage;
  private final StoreHeader header;
  private final WitnessKeeper witness;
  private final StoreOpening opening;
  private final Encoder encoder;
  private final DurableProgress progress;
  private final DiskSpaceGuard diskSpace;
  private final GroupWriter groups;
  private final CommitThread writer;
  private final CommitFigures measured;
  private final EventReader events;
  private final SessionReader sessions;
  private final SegmentReader segments;
  private final TocReader toc;
  private final GripReader grips;
  private final OutboxReader outbox;
  private final CheckpointReader checkpoints;
  private final DerivedReader derived;
  private final UsageReader ledger;
  private final RecordReader records;
  private final FileReader files;
  private volatile boolean closing;

  /// A closed engine must not be used again, because it is native code.
  private final AtomicBoolean closed = new AtomicBoolean();

  private RocksStore(
      StoreHome home,
      Database engine,
      StorageConfig config,
      StoreOpening opening,
      InstantSource clock,
      CommitFigures measured,
      Disks disks) {
    this.home = home;
    this.engine = engine;
    this.measured = measured;
    this.header = opening.complete(engine);
    this.witness = opening.witness(header);
    this.opening = opening;
    this.damage = new CorruptionReport(clock);
    var view = new View(engine, guard, engine.reading(), damage);
    this.events = new EventRows(view);
    this.sessions = new SessionRows(view);
    this.segments = new SegmentRows(view);
    this.toc = new TocRows(view);
    this.grips = new GripRows(view);
    this.checkpoints = new CheckpointRows(view);
    this.derived = new DerivedScan(view);
    this.ledger = new UsageRows(view);
    this.records = new RecordRows(view);
    this.files = new StoreFiles(home.tables(), engine, guard, damage);
    this.encoder = new Encoder(engine::number, header.digest());
    this.progress = new DurableProgress(StoreHeader.counters(view));
    this.outbox = new OutboxRows(view, this::counters, progress::await);
    this.diskSpace =
        new DiskSpaceGuard(home.directory(), config.minFreeBytes(), disks.room(home.tables()));
    diskSpace.look(clock.millis());
    this.groups =
        new GroupWriter(
            clock,
            () ->
                new PendingState(view, engine::number, header.digest(), StoreHeader.counters(view)),
            new MeasuredSink(disks.sink(engine), measured),
            progress,
            diskSpace,
            witness,
            this::reopen);
    this.writer = new CommitThread(config.queuedCommits(), config.queuedBytes(), groups, measured);
    witness.write(progress.counters());
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
        var store = new RocksStore(home, engine, config, opening, clock, measured, disks);
        store.writer.start();
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
        StoreHeader found = opening.found().orElseThrow(StoreHeader::notOurs);
        StoreHeader header = dryRun ? found : opening.complete(engine);
        MigrationReport report = new Migration(engine, dryRun).run(header, found.oldestRows());
        if (!dryRun) {
          // From now on a store without one counts as damaged.
          WitnessKeeper witness = opening.witness(header);
          witness.write(StoreHeader.counters(View.of(engine)));
          witness.close();
        }
        return report;
      }
    }
  }

  @Override
  public List<Receipt> commit(Commit commit) {
    if (writer.isCurrent()) {
      throw new IllegalStateException("a commit from the commit thread would wait for itself");
    }
    checkWritable(commit);
    long begun = measured.nanos();
    try {
      List<Receipt> receipts = writer.write(encoder.prepare(commit)).join();
      measured.acknowledged(begun);
      return receipts;
    } catch (CompletionException e) {
      if (e.getCause() instanceof MemoryException cause) {
        throw new MemoryException(cause.code(), String.valueOf(cause.getMessage()), cause);
      }
      throw e;
    }
  }

  @Override
  public CompletableFuture<List<Receipt>> submit(Commit commit) {
    checkWritable(commit);
    long begun = measured.nanos();
    Prepared prepared;
    try {
      prepared = encoder.prepare(commit);
    } catch (MemoryException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<List<Receipt>> answer = writer.submit(prepared);
    // Beside the answer, whose failures must not be wrapped.
    var _ = answer.thenAccept(_ -> measured.acknowledged(begun));
    return answer;
  }

  private void checkWritable(Commit commit) {
    if (closing) {
      throw Guard.closed();
    }
    diskSpace.check(commit);
  }

  @Override
  public String digest(String text) {
    return header.digest().of(text);
  }

  @Override
  public boolean wasErased(Event event) {
    return ErasedContent.sought(event).stream()
        .anyMatch(
            text -> records.record(Keys.text(Keys.erased(header.digest().of(text)))).isPresent());
  }

  @Override
  public EventReader events() {
    return events;
  }

  @Override
  public SessionReader sessions() {
    return sessions;
  }

  @Override
  public SegmentReader segments() {
    return segments;
  }

  @Override
  public TocReader toc() {
    return toc;
  }

  @Override
  public GripReader grips() {
    return grips;
  }

  @Override
  public OutboxReader outbox() {
    return outbox;
  }

  @Override
  public CheckpointReader checkpoints() {
    return checkpoints;
  }

  @Override
  public DerivedReader derived() {
    return derived;
  }

  @Override
  public UsageReader ledger() {
    return ledger;
  }

  @Override
  public RecordReader records() {
    return records;
  }

  @Override
  public FileReader files() {
    return files;
  }

  @Override
  public ZoneId zone() {
    return header.zone();
  }

  private Counters counters() {
    try (var _ = guard.enter()) {
      return progress.counters();
    }
  }

  @Override
  public StoreStats stats() {
    try (var _ = guard.enter()) {
      Counters now = progress.counters();
      return new StoreStats(
          now.events(),
          now.outboxHead(),
          now.outboxTail(),
          now.dirtyNodes(),
          now.deadLetters(),
          engine.walSyncs(),
          progress.commits(),
          engine.diskBytes());
    }
  }

  @Override
  public StorageFigures figures() {
    try (var _ = guard.tryEnter().orElseThrow(RocksStore::reopening)) {
      return engine.figures();
    }
  }

  @Override
  public StoreUsage usage() {
    return atOneMoment(reading ->
        new StatsCounter(new View(engine, guard, reading, damage), engine, () -> mayGoOn(() -> {}))
            .take());
  }

  /// Reads a snapshot of the store. Concurrent writes do not affect it.
  private <T> T atOneMoment(Function<ReadOptions, T> work) {
    try (var _ = guard.enter()) {
      RocksDB db = engine.db();
      Snapshot moment = db.getSnapshot();
      try (var reading = new ReadOptions().setSnapshot(moment).setFillCache(false)) {
        return work.apply(reading);
      } finally {
        db.releaseSnapshot(moment);
      }
    }
  }

  @Override
  public Optional<String> problem() {
    return groups.problem();
  }

  @Override
  public List<String> notes() {
    return Stream.concat(opening.notes().stream(), witness.problem().stream()).toList();
  }

  @Override
  public DamageReport damage() {
    return damage.report();
  }

  /// Checks a snapshot of the store. The check ends with `CLOSED` when the store is closed, and
  /// with `STORAGE_FAILED` when the store has to be reopened.
  @Override
  public List<Finding> verify(int limit, Runnable between) {
    View.checkLimit(limit);
    return atOneMoment(reading -> {
      var findings = new Findings(limit, () -> mayGoOn(between));
      new Verifier(new View(engine, guard, reading, findings), header.digest(), findings).run();
      return findings.list();
    });
  }

  /// @throws MemoryException when a long operation must end, because the store closes or reopens
  private void mayGoOn(Runnable between) {
    if (closing) {
      throw Guard.closed();
    }
    if (guard.isAwaited()) {
      throw reopening();
    }
    between.run();
  }

  private static MemoryException reopening() {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED, "the store is being reopened after a failure; try again");
  }

  private void reopen(boolean merging, Counters acknowledged) {
    engine.cancelCompaction();
    guard.alone(
        () -> engine.reopen(merging, reading -> opening.checkReopened(reading, acknowledged)));
  }

  /// Lets files be compacted from now on. Compaction that meets a damaged block ends all writes
  /// until the store was reopened without it, which a caller that is still opening the workspace
  /// does not wait for.
  public void beginCompaction() {
    try (var _ = guard.enter()) {
      engine.beginMerging();
    }
  }

  @Override
  public void compact() {
    try (var _ = guard.enter()) {
      engine.compact();
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
    try (var _ = guard.enter();
        var files = org.rocksdb.Checkpoint.create(engine.db())) {
      DurableFile.createDirectory(directory);
      files.createCheckpoint(StoreDirectory.tables(directory).toString());
      home.marker().orElseThrow().write(directory);
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

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    closing = true;
    engine.cancelCompaction();
    progress.close();
    writer.close();
    guard.close(() -> {
      try {
        engine.close();
        witness.write(progress.counters());
      } finally {
        witness.close();
        home.close();
      }
    });
  }
}
