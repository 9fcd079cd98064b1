package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Flips bits in the files of a store that nobody has open.
final class DamagedTables {

  /// Well inside the first block.
  private static final int OFFSET = 20;

  private DamagedTables() {}

  /// Damages the first block of every file of a table.
  ///
  /// @param store its directory
  static void damage(Path store, String table) throws IOException, RocksDBException {
    Path tables = store.resolve("rocksdb");
    List<String> files = files(tables, table);
    assertThat(files).as("files of " + table).isNotEmpty();
    for (String name : files) {
      try (var file = new RandomAccessFile(tables.resolve(name.substring(1)).toFile(), "rw")) {
        file.seek(OFFSET);
        int old = file.read();
        file.seek(OFFSET);
        file.write(old ^ 0x55);
      }
    }
  }

  /// All column families of a closed database, with the options that the engine itself has.
  static List<ColumnFamilyDescriptor> families(Path tables) throws RocksDBException {
    try (var options = new Options()) {
      return RocksDB.listColumnFamilies(options, tables.toString()).stream()
          .map(ColumnFamilyDescriptor::new)
          .toList();
    }
  }

  private static List<String> files(Path tables, String table) throws RocksDBException {
    List<ColumnFamilyDescriptor> families = families(tables);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (var options = new DBOptions();
        var db = RocksDB.openReadOnly(options, tables.toString(), families, handles)) {
      List<String> files =
          db.getLiveFilesMetaData().stream()
              .filter(
                  file -> new String(file.columnFamilyName(), StandardCharsets.UTF_8).equals(table))
              .map(LiveFileMetaData::fileName)
              .toList();
      handles.forEach(ColumnFamilyHandle::close);
      return files;
    }
  }
}
