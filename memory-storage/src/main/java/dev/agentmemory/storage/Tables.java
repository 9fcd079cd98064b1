package dev.agentmemory.storage;

import java.nio.file.Path;
import java.util.ArrayList;
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

/// An open database: it and its tables are native objects that come and go together.
final class Tables implements AutoCloseable {

  private static final String UNSETTLED = "rocksdb.cur-size-all-mem-tables";

  /// Empty tables take about two of them.
  private static final long WORTH_SETTLING = 8L << 20;

  private final RocksDB db;
  private final List<ColumnFamilyHandle> opened;
  private final Map<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);
  private final boolean writable;

  /// How a database is opened.
  enum Access {
    READ_WRITE,
    /// Needs no room on the disk.
    READ_ONLY
  }

  private Tables(
      RocksDB db, List<Family> families, List<ColumnFamilyHandle> opened, boolean writable) {
    this.db = db;
    this.opened = opened;
    this.writable = writable;
    // They come in the order of the descriptors, the engine's own default family first.
    var next = opened.listIterator(1);
    for (Family family : families) {
      handles.put(family, next.next());
    }
  }

  /// @param families which there are, or shall be
  /// @param descriptors the default family, then one for each of them, in order
  static Tables open(
      Access access,
      DBOptions options,
      Path directory,
      List<Family> families,
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

  ColumnFamilyHandle handle(Family family) {
    return Objects.requireNonNull(handles.get(family));
  }

  boolean isWritable() {
    return writable;
  }

  /// Writes what only the log holds into tables, if it is much: whoever opens the store next waits
  /// until the log has been read again. Little is left to the log, which is faster for both.
  void settle() {
    try (var waiting = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
      if (db.getAggregatedLongProperty(UNSETTLED) > WORTH_SETTLING) {
        db.flush(waiting, List.copyOf(handles.values()));
      }
    } catch (RocksDBException e) {
      // Nothing is lost, because the log has it all; the next one to open the store waits longer.
    }
  }

  @Override
  public void close() {
    opened.reversed().forEach(ColumnFamilyHandle::close);
    db.close();
  }
}
