package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.rows.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An open database with its tables: native objects that are opened and closed together.
final class Tables implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

  private final RocksDB db;
  private final List<ColumnFamilyHandle> opened;
  private final Map<Table, ColumnFamilyHandle> handles = new EnumMap<>(Table.class);
  private final boolean writable;

  /// How a database is opened.
  enum Access {
    READ_WRITE,
    /// Needs no space on the disk.
    READ_ONLY
  }

  private Tables(
      RocksDB db, List<Table> families, List<ColumnFamilyHandle> opened, boolean writable) {
    this.db = db;
    this.opened = opened;
    this.writable = writable;
    // They come in the order of the descriptors, the engine's own default family first.
    var next = opened.listIterator(1);
    for (Table table : families) {
      handles.put(table, next.next());
    }
  }

  /// @param families the tables that exist or are created
  /// @param descriptors the default family, then one for each of them, in order
  static Tables open(
      Access access,
      DBOptions options,
      Path directory,
      List<Table> families,
      List<ColumnFamilyDescriptor> descriptors)
      throws RocksDBException {
    var opened = new ArrayList<ColumnFamilyHandle>();
    String path = directory.toString();
    return switch (access) {
      case READ_WRITE ->
          new Tables(
              RocksDB.open(options, path, descriptors, opened),
              families,
              opened,
              /* writable= */ true);
      case READ_ONLY ->
          new Tables(
              RocksDB.openReadOnly(options, path, descriptors, opened),
              families,
              opened,
              /* writable= */ false);
    };
  }

  RocksDB db() {
    return db;
  }

  ColumnFamilyHandle handle(Table table) {
    return Objects.requireNonNull(handles.get(table));
  }

  boolean isWritable() {
    return writable;
  }

  /// Writes rows that are only in the log into tables, so that a closed store does not depend on
  /// its log. `meta` is the last table, because its counters state how far the others have come.
  void flush() {
    List<ColumnFamilyHandle> ordered =
        handles.keySet().stream()
            .sorted(Comparator.comparing(table -> table == Table.META))
            .map(this::handle)
            .toList();
    try (var waiting = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
      db.flush(waiting, ordered);
    } catch (RocksDBException e) {
      LOG.warn("rows could not be flushed on closing; they remain in the log", e);
    }
  }

  void enableMerging() throws RocksDBException {
    db.enableAutoCompaction(opened);
  }

  @Override
  public void close() {
    opened.reversed().forEach(ColumnFamilyHandle::close);
    db.close();
  }
}
