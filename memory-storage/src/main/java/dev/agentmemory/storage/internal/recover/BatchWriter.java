package dev.agentmemory.storage.internal.recover;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.storage.internal.rocksdb.RocksErrors;
import org.rocksdb.RocksDBException;

/// Writes many rows into a database in bounded batches, without a sync.
public final class BatchWriter {

  private static final int BATCH_BYTES = 4 << 20;

  private final Database engine;
  private final BatchBytes batch = new BatchBytes(BATCH_BYTES);

  public BatchWriter(Database engine) {
    this.engine = engine;
  }

  public void put(Family family, byte[] key, byte[] value) {
    batch.put(engine.number(family), key, value);
    flushIfFull();
  }

  public void delete(Family family, byte[] key) {
    batch.delete(engine.number(family), key);
    flushIfFull();
  }

  /// Deletes all rows of a table.
  public void clear(Family family) {
    byte[] end = {(byte) 0xFF, (byte) 0xFF};
    batch.deleteRange(engine.number(family), new byte[0], end);
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
