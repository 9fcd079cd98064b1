package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.rows.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;

/// One file of a table, read without the database. It needs no lock and does not use the block
/// cache.
public final class TableFile implements AutoCloseable {

  private final Path path;
  private @Nullable Options options;
  private @Nullable ReadOptions reading;
  private @Nullable SstFileReader reader;

  public TableFile(Path path) {
    this.path = path;
  }

  /// Reads footer, properties and index.
  ///
  /// @throws RocksDBException when one of them cannot be read
  public void open() throws RocksDBException {
    options = new Options().setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true));
    reading = new ReadOptions().setFillCache(false);
    reader = new SstFileReader(options);
    reader.open(path.toString());
  }

  /// The table that the file is part of; empty for one that this program does not know.
  public Optional<Table> table() throws RocksDBException {
    byte[] name = Objects.requireNonNull(reader).getTableProperties().getColumnFamilyName();
    String text = new String(name, StandardCharsets.UTF_8);
    return Stream.of(Table.values()).filter(table -> table.label().equals(text)).findFirst();
  }

  /// The table's number in the batches of the log.
  public int tableNumber() throws RocksDBException {
    return (int) Objects.requireNonNull(reader).getTableProperties().getColumnFamilyId();
  }

  /// When the oldest rows were written, in epoch seconds. The result of a compaction has the lowest
  /// value of the files that it merged.
  public long oldestRows() throws RocksDBException {
    return Objects.requireNonNull(reader).getTableProperties().getCreationTime();
  }

  /// All rows. The caller closes them before the file.
  public RowIterator rows() {
    return RowIterator.of(
        Objects.requireNonNull(reader).newIterator(Objects.requireNonNull(reading)));
  }

  /// Reads every block and compares its checksum.
  ///
  /// @throws RocksDBException naming the first block that is damaged
  void verify() throws RocksDBException {
    Objects.requireNonNull(reader).verifyChecksum();
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
    if (reading != null) {
      reading.close();
      reading = null;
    }
    if (options != null) {
      options.close();
      options = null;
    }
  }
}
