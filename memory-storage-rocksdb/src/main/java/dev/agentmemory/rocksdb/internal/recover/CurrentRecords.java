package dev.agentmemory.rocksdb.internal.recover;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.BatchWriter;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksReader;
import dev.agentmemory.storage.codec.RecordCodec;
import dev.agentmemory.storage.read.View;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/// Determines the current rows of `records` in a damaged database. They are not derived from
/// events, so each of them that can be read is kept.
///
/// Idea: [RawRows] finds every row in every file, also rows that were replaced or deleted since.
/// The engine knows which of them are current: it looks a key up in its files from the newest to
/// the oldest. So damage affects only the rows whose newest state is in a damaged block or in a
/// missing file. These rows keep the newest state that was found.
///
/// Without a readable manifest the engine cannot be asked. Every row then keeps the newest state
/// that was found. A deleted row may come back if its deletion is in a table file, because only the
/// engine reads deletions there.
///
/// @param copy of the database's files
public record CurrentRecords(Path copy, StorageConfig config) {

  /// Replaces the rows that were found by the current ones.
  ///
  /// @param target has the newest state of each row that was found
  /// @return number of rows that may have had a newer state
  public long settle(Database target) {
    long[] uncertain = new long[1];
    try {
      Database.readDamaged(
          copy,
          config,
          engine -> {
            if (engine.has(Table.RECORDS)) {
              uncertain[0] = new Comparison(engine, target).run();
            }
          });
    } catch (RocksDBException e) {
      // The manifest cannot be read, so the order of the files has decided.
    }
    return uncertain[0];
  }

  /// Compares the rows that were found with those of the engine.
  private static final class Comparison {

    private final View current;
    private final View found;
    private final BatchWriter writer;
    private long uncertain;

    Comparison(Database engine, Database target) {
      this.current = View.of(RocksReader.of(engine));
      this.found = View.of(RocksReader.of(target));
      this.writer = new BatchWriter(target);
    }

    long run() {
      found.scanAll(
          Table.RECORDS,
          row -> {
            compare(row.key(), row.value());
            return true;
          });
      writer.flush();
      addMissing();
      writer.flush();
      return uncertain;
    }

    private void compare(byte[] key, byte[] value) {
      byte @Nullable [] now;
      try {
        now = current.get(Table.RECORDS, key);
      } catch (MemoryException e) {
        uncertain++;
        return;
      }
      if (now == null) {
        writer.delete(Table.RECORDS, key);
      } else if (!RecordCodec.isReadable(key, now)) {
        uncertain++;
      } else if (!Arrays.equals(now, value)) {
        writer.put(Table.RECORDS, key, now);
      }
    }

    /// A deletion in a damaged log may be older than the row that it seems to delete.
    private void addMissing() {
      try {
        current.scanAll(
            Table.RECORDS,
            row -> {
              byte[] key = row.key();
              byte[] value = row.value();
              if (!found.has(Table.RECORDS, key) && RecordCodec.isReadable(key, value)) {
                writer.put(Table.RECORDS, key, value);
              }
              return true;
            });
      } catch (MemoryException e) {
        // A missing file ends the scan. A failed write fails again when the rest is written.
      }
    }
  }
}
