package dev.agentmemory.bench.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/// RocksDB without the daemon: the best that a disk and RocksDB can do with the rows that the
/// daemon writes. Tables and options are those of the daemon's own database.
final class BareStore implements AutoCloseable {

  /// Path of the database in a daemon's data directory.
  static final String TABLES = "db/default/rocksdb";

  private static final long MEMORY = 64L << 20;

  private final Deque<AbstractImmutableNativeReference> natives = new ArrayDeque<>();
  private final Map<String, ColumnFamilyHandle> tables = new HashMap<>();
  private final RocksDB db;
  private final WriteOptions synced;

  /// A row with its table.
  static final class Row {

    private final String table;
    private final byte[] key;
    private final byte[] value;

    private Row(String table, byte[] key, byte[] value) {
      this.table = table;
      this.key = key;
      this.value = value;
    }
  }

  private BareStore(Path directory, Path like, boolean reading) throws RocksDBException {
    var options = keep(new DBOptions());
    var config = keep(new ConfigOptions());
    var descriptors = new ArrayList<ColumnFamilyDescriptor>();
    OptionsUtil.loadLatestOptions(config, like.toString(), options, descriptors);
    descriptors.forEach(descriptor -> keep(descriptor.getOptions()));
    // The options file does not contain the shared memory.
    var cache = keep(new LRUCache(MEMORY));
    options
        .setWriteBufferManager(keep(new WriteBufferManager(MEMORY, cache)))
        .setWalDir(directory.toString())
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true);
    var handles = new ArrayList<ColumnFamilyHandle>();
    this.db =
        keep(
            reading
                ? RocksDB.openReadOnly(options, directory.toString(), descriptors, handles)
                : RocksDB.open(options, directory.toString(), descriptors, handles));
    for (ColumnFamilyHandle handle : handles) {
      keep(handle);
      tables.put(new String(handle.getName(), StandardCharsets.UTF_8), handle);
    }
    this.synced = keep(new WriteOptions().setSync(true));
  }

  /// The tables of a daemon that is stopped.
  static BareStore read(Path directory) throws RocksDBException {
    return new BareStore(directory, directory, /* reading= */ true);
  }

  /// An empty store.
  ///
  /// @param like the tables of a daemon
  static BareStore create(Path directory, Path like) throws RocksDBException, IOException {
    Files.createDirectories(directory);
    return new BareStore(directory, like, /* reading= */ false);
  }

  /// All rows of a table in order.
  Scan scan(String table) {
    RocksIterator iterator = db.newIterator(table(table));
    iterator.seekToFirst();
    return new Scan(table, iterator);
  }

  /// Writes rows with one synced write.
  void write(List<Row> rows) throws RocksDBException {
    try (var batch = new WriteBatch()) {
      for (Row row : rows) {
        batch.put(table(row.table), row.key, row.value);
      }
      db.write(synced, batch);
    }
  }

  /// The size of the files of each table.
  Map<String, Long> fileBytes() throws RocksDBException {
    var sizes = new HashMap<String, Long>();
    for (Map.Entry<String, ColumnFamilyHandle> table : tables.entrySet()) {
      long bytes = db.getLongProperty(table.getValue(), "rocksdb.live-sst-files-size");
      if (bytes > 0) {
        sizes.put(table.getKey(), bytes);
      }
    }
    return sizes;
  }

  @Override
  public void close() {
    natives.forEach(AbstractImmutableNativeReference::close);
  }

  private ColumnFamilyHandle table(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  private <T extends AbstractImmutableNativeReference> T keep(T made) {
    natives.push(made);
    return made;
  }

  /// Scans a table.
  static final class Scan implements AutoCloseable {

    private final String table;
    private final RocksIterator iterator;

    private Scan(String table, RocksIterator iterator) {
      this.table = table;
      this.iterator = iterator;
    }

    boolean hasNext() {
      return iterator.isValid();
    }

    Row next() {
      var row = new Row(table, iterator.key(), iterator.value());
      iterator.next();
      return row;
    }

    @Override
    public void close() {
      iterator.close();
    }
  }
}
