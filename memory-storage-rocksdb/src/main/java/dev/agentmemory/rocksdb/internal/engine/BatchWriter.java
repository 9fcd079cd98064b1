package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.rows.Table;
import org.rocksdb.RocksDBException;

/// Writes many rows into a database in bounded batches, without a sync.
public final class BatchWriter {

  private static final int BATCH_BYTES = 4 << 20;

  /// More than the header of a store takes, which may be all that is written.
  private static final int FIRST_CAPACITY = 512;

  private final Database engine;
  private final RocksBatch batch;

  public BatchWriter(Database engine) {
    this.engine = engine;
    this.batch = new RocksBatch(engine::number, FIRST_CAPACITY);
  }

  public void put(Table table, byte[] key, byte[] value) {
    batch.put(table, key, value);
    flushIfFull();
  }

  /// Writes the header of the store, and what was put before.
  public void writeHeader(StoreHeader header) {
    put(Table.META, Keys.STORE, header.encode());
    flush();
  }

  public void delete(Table table, byte[] key) {
    batch.delete(table, key);
    flushIfFull();
  }

  /// Deletes all rows of a table.
  public void clear(Table table) {
    byte[] end = {(byte) 0xFF, (byte) 0xFF};
    batch.deleteRange(table, new byte[0], end);
    flush();
  }

  private void flushIfFull() {
    if (batch.size() >= BATCH_BYTES) {
      flush();
    }
  }

  public void flush() {
    try {
      if (batch.rows() > 0) {
        engine.write(batch.toBytes());
      }
      batch.clear();
    } catch (RocksDBException e) {
      throw RocksErrors.translated("while writing rows", e);
    }
  }
}
