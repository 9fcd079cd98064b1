package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.spi.measure.CacheUse;
import dev.agentmemory.spi.measure.StorageFigures;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.Status;
import org.rocksdb.TickerType;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open database and all native objects that belong to it. Native objects must be closed in the
/// reverse order of their creation and not be used afterwards. They are kept on one stack, and
/// [Guard] excludes readers once closing begins.
public final class Database implements BatchSink, AutoCloseable {

  /// How the engine's messages begin when another process, or this one, has the database open. The
  /// engine has no status code for that, and the word "lock" may occur in paths and other messages.
  private static final List<String> LOCKED =
      List.of("While lock file: ", "lock hold by current process");

  /// A crash can leave an incomplete last record in a log. Anything else is damage. In the engine's
  /// default mode the records after it are dropped without an error.
  private static final WALRecoveryMode STRICT = WALRecoveryMode.TolerateCorruptedTailRecords;

  /// Background failures until the last opening. Used by the thread that writes only.
  private long failuresBefore;

  private final Deque<AbstractNativeReference> natives;
  private final List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();

  /// Cached, because the engine would be called for every row otherwise.
  private final Map<Table, Integer> numbers = new EnumMap<>(Table.class);

  private final Path directory;
  private final List<Table> existing;
  private final NativeMemory memory;
  private final boolean sync;
  private final DBOptions options;
  private final Statistics statistics;
  private final WriteOptions writing;
  private final WriteOptions impatient;
  private final ReadOptions reading;
  private final CompactRangeOptions compacting;

  private final RateLimiter limiter;

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /// Bytes a second that are written into tables while all of them are compacted: writers share
  /// disk and processors with it. New data is written first.
  private static final long COMPACTING_RATE = 8L << 20;

  /// More than any disk writes.
  private static final long UNLIMITED = 1L << 40;

  /// Null while they could not be reopened.
  private volatile @Nullable Tables tables;

  /// Whether files are not compacted yet.
  private volatile boolean mergesLater;

  /// How to open a database.
  public enum Mode {
    /// Creates a database in a folder without one.
    CREATE,
    /// Opens an existing database and creates tables that a later format added.
    EXISTING,
    /// Like [#EXISTING], without adding tables: an earlier version of this program would refuse
    /// them.
    AS_IS
  }

  /// @param families the tables to open
  /// @param natives receives what has to be closed, also after a failure
  private Database(
      Path directory,
      List<Table> families,
      StorageConfig config,
      NativeMemory memory,
      Deque<AbstractNativeReference> natives)
      throws RocksDBException {
    this.natives = natives;
    this.directory = directory;
    this.existing = families;
    this.memory = memory;
    this.sync = config.durability() == StorageConfig.Durability.FSYNC;
    var filter = keep(new BloomFilter(10));
    this.statistics = keep(new Statistics());
    statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
    this.limiter = keep(new RateLimiter(UNLIMITED));
    this.options = keep(options(memory.buffers(), statistics).setRateLimiter(limiter));
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (Table table : families) {
      var familyOptions = keep(FamilyOptions.of(table, memory.cache(), filter));
      descriptors.add(new ColumnFamilyDescriptor(name(table), familyOptions));
    }
    natives.push(descriptors.getFirst().getOptions());
    this.writing = keep(new WriteOptions());
    this.impatient = keep(new WriteOptions().setNoSlowdown(true));
    this.reading = keep(new ReadOptions());
    this.compacting =
        keep(
            new CompactRangeOptions()
                .setExclusiveManualCompaction(false)
                .setBottommostLevelCompaction(
                    CompactRangeOptions.BottommostLevelCompaction.kForceOptimized));
  }

  /// Opens a database with memory of its own and without a check; creates one where there is none.
  public static Database open(Path directory, StorageConfig config) {
    boolean isNew = !Files.exists(directory.resolve("CURRENT"));
    return open(
        directory,
        config,
        NativeMemory.alone(config),
        isNew ? Mode.CREATE : Mode.EXISTING,
        reading -> {});
  }

  /// @param check checks the database before it is opened for writing; not called with
  ///   [Mode#CREATE]
  /// @throws MemoryException `CONFLICT` when the engine's own lock is taken, `UNSUPPORTED_FORMAT`
  ///   for tables that this program does not know, `STORE_DAMAGED` for unreadable files, and the
  ///   exceptions of the check
  public static Database open(
      Path directory,
      StorageConfig config,
      NativeMemory memory,
      Mode mode,
      Consumer<Database> check) {
    return open(directory, config, memory, mode, /* merging= */ true, check);
  }

  /// The same for a database whose files are compacted later.
  ///
  /// @param merging false for one whose files are not compacted before [#beginMerging]
  public static Database open(
      Path directory,
      StorageConfig config,
      NativeMemory memory,
      Mode mode,
      boolean merging,
      Consumer<Database> check) {
    RocksDB.loadLibrary();
    memory.enter();
    var natives = new ArrayDeque<AbstractNativeReference>();
    boolean opened = false;
    try {
      List<String> there = mode == Mode.CREATE ? List.of() : tables(directory);
      refuseUnknown(there, directory);
      WALRecoveryMode recovery =
          mode == Mode.CREATE ? STRICT : inspect(directory, present(there), config, memory, check);
      List<Table> families = mode == Mode.AS_IS ? present(there) : List.of(Table.values());
      var engine = new Database(directory, families, config, memory, natives);
      engine.options.setCreateIfMissing(mode == Mode.CREATE);
      engine.options.setCreateMissingColumnFamilies(families.size() > present(there).size());
      engine.options.setWalRecoveryMode(recovery);
      engine.merge(merging);
      engine.mergesLater = !merging;
      engine.use(Tables.Access.READ_WRITE);
      engine.options.setWalRecoveryMode(STRICT);
      opened = true;
      return engine;
    } catch (RocksDBException e) {
      throw openFailure(directory, e);
    } finally {
      if (!opened) {
        natives.forEach(AbstractNativeReference::close);
        memory.leave();
      }
    }
  }

  /// Opens a damaged database for reading. The engine reads as much as it can: it skips unreadable
  /// parts of the log, and a missing file fails only the reads that need it. Nothing is written.
  ///
  /// @throws RocksDBException when the manifest cannot be read
  public static void readDamaged(Path directory, StorageConfig config, Consumer<Database> check)
      throws RocksDBException {
    RocksDB.loadLibrary();
    NativeMemory memory = NativeMemory.alone(config);
    memory.enter();
    try {
      List<Table> families = present(tables(directory));
      inspect(
          directory,
          families,
          config,
          memory,
          options ->
              options
                  .setParanoidChecks(false)
                  .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords),
          check);
    } finally {
      memory.leave();
    }
  }

  /// A power failure may leave zeros in place of the end of the last record. The engine takes that
  /// for damage when the record spans several blocks. If only that end is missing, it is ignored.
  ///
  /// @return how to read the log
  private static WALRecoveryMode inspect(
      Path directory,
      List<Table> families,
      StorageConfig config,
      NativeMemory memory,
      Consumer<Database> check)
      throws RocksDBException {
    try {
      inspect(directory, families, config, memory, options -> {}, check);
      return STRICT;
    } catch (RocksDBException e) {
      if (!lacksTheEndOfItsLogOnly(directory, e)) {
        throw e;
      }
      inspect(
          directory,
          families,
          config,
          memory,
          options -> options.setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery),
          check);
      return WALRecoveryMode.PointInTimeRecovery;
    }
  }

  /// Whether the only cause of a failed opening is a last record whose end a power failure left as
  /// zeros.
  public static boolean lacksTheEndOfItsLogOnly(Path directory, RocksDBException e) {
    return CorruptionSkipper.isDamage(e) && FileCheck.brokenLog(directory).isEmpty();
  }

  private static void inspect(
      Path directory,
      List<Table> families,
      StorageConfig config,
      NativeMemory memory,
      Consumer<DBOptions> adapting,
      Consumer<Database> check)
      throws RocksDBException {
    var natives = new ArrayDeque<AbstractNativeReference>();
    try {
      var engine = new Database(directory, families, config, memory, natives);
      adapting.accept(engine.options);
      engine.use(Tables.Access.READ_ONLY);
      try (var _ = engine.tables()) {
        check.accept(engine);
      }
    } finally {
      natives.forEach(AbstractNativeReference::close);
    }
  }

  private void use(Tables.Access access) throws RocksDBException {
    Tables opened = Tables.open(access, options, directory, existing, descriptors);
    this.tables = opened;
    existing.forEach(table -> numbers.put(table, opened.handle(table).getID()));
  }

  private static List<Table> present(List<String> tables) {
    return Stream.of(Table.values()).filter(table -> tables.contains(table.label())).toList();
  }

  /// @throws MemoryException `STORE_DAMAGED` when a table of a format is missing
  public void requireTables(int format) {
    for (Table table : Table.values()) {
      if (table.since() <= format && !has(table)) {
        throw RocksErrors.damaged(
            "the manifest of %s lacks the table %s".formatted(directory, table));
      }
    }
  }

  /// Names of the existing tables.
  private static List<String> tables(Path directory) throws RocksDBException {
    try (var options = new Options()) {
      return RocksDB.listColumnFamilies(options, directory.toString()).stream()
          .map(name -> new String(name, StandardCharsets.UTF_8))
          .toList();
    }
  }

  private static void refuseUnknown(List<String> tables, Path directory) {
    var known = new ArrayList<String>(Stream.of(Table.values()).map(Table::label).toList());
    known.add("default");
    for (String table : tables) {
      if (!known.contains(table)) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "%s contains a table %s that this version does not know; use the version that wrote it"
                .formatted(directory, table));
      }
    }
  }

  /// The exception for a database that cannot be opened.
  public static MemoryException openFailure(Path directory, RocksDBException e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    if (LOCKED.stream().anyMatch(message::startsWith)) {
      return new MemoryException(
          ErrorCode.CONFLICT,
          directory + " is open already; close the other store or choose another directory",
          e);
    }
    Status status = e.getStatus();
    boolean missing = message.contains("No such file or directory");
    if (missing || (status != null && status.getCode() == Status.Code.Corruption)) {
      String which =
          FileCheck.brokenLog(directory)
              .or(() -> FileCheck.tornLog(directory))
              .map(damage -> " (" + damage + ")")
              .orElse("");
      return RocksErrors.damaged(
          "%s cannot be read: %s%s".formatted(directory, message.strip(), which));
    }
    return RocksErrors.translated("while opening " + directory, e);
  }

  private static DBOptions options(WriteBufferManager buffers, Statistics statistics) {
    return new DBOptions()
        .setWalRecoveryMode(STRICT)
        .setWriteBufferManager(buffers)
        .setStatistics(statistics)
        // Only one thread writes, so options for concurrent writers would only cost time.
        .setAllowConcurrentMemtableWrite(false)
        .setEnableWriteThreadAdaptiveYield(false)
        .setMaxBackgroundJobs(2)
        // Otherwise the sync of a large table holds up that of the log.
        .setBytesPerSync(1 << 20)
        .setMaxOpenFiles(512)
        .setMaxTotalWalSize(256L << 20)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(2);
  }

  public RocksDB db() {
    return tables().db();
  }

  public ColumnFamilyHandle handle(Table table) {
    return tables().handle(table);
  }

  private Tables tables() {
    Tables opened = tables;
    if (opened == null) {
      throw new MemoryException(
          ErrorCode.STORAGE_FAILED,
          directory
              + " could not be reopened after a failure;"
              + " check the disk (it is retried automatically)");
    }
    return opened;
  }

  /// Reopens the database. That is the only way to find out what reached the disk after a failed
  /// write or sync. The content of the log is written into new files and synced before this
  /// returns. No reader may use the database meanwhile. After a failure the tables are open for
  /// reading, if that is possible.
  ///
  /// @param merging whether files may be compacted; false when compaction meets damage
  /// @param check checks the database before it is opened for writing
  /// @throws MemoryException when the disk still refuses, or the exception of the check
  public void reopen(boolean merging, Consumer<Database> check) {
    Tables old = tables;
    tables = null;
    if (old != null) {
      old.close();
    }
    merge(merging);
    mergesLater = false;
    compacting.setCanceled(false);
    failuresBefore = backgroundFailures();
    try {
      use(Tables.Access.READ_ONLY);
      check.accept(this);
      tables().close();
      tables = null;
      use(Tables.Access.READ_WRITE);
    } catch (RocksDBException e) {
      readOnly(e);
      throw openFailure(directory, e);
    }
  }

  private void merge(boolean merging) {
    descriptors.forEach(family -> family.getOptions().setDisableAutoCompactions(!merging));
  }

  /// Lets files be compacted, unless the database was opened again meanwhile or has to be: what
  /// that decides holds then. No other thread may open it again meanwhile. If the engine refuses,
  /// such as on a full disk, compaction begins with the next opening: a store is of use without it.
  public void beginMerging() {
    Tables open = tables;
    if (!mergesLater || open == null || !open.isWritable()) {
      return;
    }
    mergesLater = false;
    merge(true);
    try {
      open.enableMerging();
    } catch (RocksDBException e) {
      LOG.warn("compaction of {} begins when it is opened again", directory, e);
    }
  }

  private void readOnly(RocksDBException why) {
    try {
      tables = Tables.open(Tables.Access.READ_ONLY, options, directory, existing, descriptors);
    } catch (RocksDBException e) {
      why.addSuppressed(e);
    }
  }

  /// Whether a table exists. All do, unless the database was opened with [Mode#AS_IS] or for
  /// reading.
  public boolean has(Table table) {
    return numbers.containsKey(table);
  }

  /// The number of the table inside a batch.
  public int number(Table table) {
    return Objects.requireNonNull(numbers.get(table));
  }

  public ReadOptions reading() {
    return reading;
  }

  /// Whether nothing was ever written.
  public boolean isEmpty() {
    return db().getLatestSequenceNumber() == 0;
  }

  /// The name of a table's column family.
  public static byte[] name(Table table) {
    return table.label().getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void write(byte[] batch) throws RocksDBException {
    try (var rows = new WriteBatch(batch)) {
      if (backgroundFailures() > failuresBefore) {
        writeAtOnce(rows);
      } else {
        db().write(writing, rows);
      }
    }
  }

  @Override
  public void sync() throws RocksDBException {
    if (sync) {
      syncLog();
    }
  }

  /// Makes earlier writes durable, whatever durability is configured. A store without its header
  /// could not be opened.
  public void syncLog() throws RocksDBException {
    db().syncWal();
  }

  /// When compaction finds the disk full, the engine does not stop. It slows writes down until the
  /// log finds the disk full, too. That would look like a hang. So after a failed compaction a
  /// write that would have to wait is refused.
  private void writeAtOnce(WriteBatch rows) throws RocksDBException {
    try {
      db().write(impatient, rows);
    } catch (RocksDBException e) {
      Status status = e.getStatus();
      if (status != null && status.getCode() == Status.Code.Incomplete) {
        throw new RocksDBException(
            "not enough disk space for compaction",
            new Status(Status.Code.IOError, Status.SubCode.NoSpace, e.getMessage()));
      }
      throw e;
    }
  }

  /// Counts failures of the disk only; damage is reported otherwise.
  private long backgroundFailures() {
    return statistics.getTickerCount(TickerType.ERROR_HANDLER_BG_IO_ERROR_COUNT);
  }

  /// What the engine counts and estimates. Reads no rows.
  public StorageFigures figures() {
    RocksDB db = db();
    try {
      return new StorageFigures(
          db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
          db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"),
          db.getAggregatedLongProperty("rocksdb.estimate-num-keys"),
          db.getLongProperty("rocksdb.background-errors"),
          statistics.getHistogramData(HistogramType.COMPACTION_TIME).getCount(),
          new CacheUse(
              statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT),
              statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS)));
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while reading the figures of " + directory, e);
    }
  }

  public long walSyncs() {
    return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
  }

  public long diskBytes() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(Database::size).sum();
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot list " + directory, e);
    }
  }

  /// Size of a table's files.
  public long diskBytes(Table table) {
    try {
      return db().getLongProperty(handle(table), "rocksdb.total-sst-files-size");
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while measuring " + table.label(), e);
    }
  }

  /// The engine may delete a file at any time.
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot read the size of " + file, e);
    }
  }

  public void compact() {
    limiter.setBytesPerSecond(COMPACTING_RATE);
    try {
      for (Table table : existing) {
        db().compactRange(handle(table), null, null, compacting);
      }
    } catch (RocksDBException e) {
      if (!compacting.canceled()) {
        throw RocksErrors.translated("while compacting", e);
      }
    } finally {
      limiter.setBytesPerSecond(UNLIMITED);
    }
  }

  /// Makes a running [#compact] return early.
  public void cancelCompaction() {
    compacting.setCanceled(true);
  }

  @Override
  public void close() {
    Tables opened = tables;
    tables = null;
    try {
      if (opened != null) {
        close(opened);
      }
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while syncing the log", e);
    } finally {
      natives.forEach(AbstractNativeReference::close);
      memory.leave();
    }
  }

  private void close(Tables opened) throws RocksDBException {
    try (opened) {
      if (opened.isWritable()) {
        if (!sync) {
          opened.db().syncWal();
        }
        opened.flush();
      }
    }
  }

  private <T extends AbstractNativeReference> T keep(T made) {
    natives.push(made);
    return made;
  }
}
