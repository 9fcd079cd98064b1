package dev.agentmemory.storage;

import org.rocksdb.RocksDBException;

/// Writes many rows into a database, a bounded batch at a time. Nothing is synced.
final class BatchWriter {

  private static final int BATCH_BYTES = 4 << 20;

  private final Engine engine;
  private final BatchBytes batch = new BatchBytes(BATCH_BYTES);

  BatchWriter(Engine engine) {
    this.engine = engine;
  }

  void put(Family family, byte[] key, byte[] value) {
    batch.put(engine.number(family), key, value);
    flushIfFull();
  }

  void delete(Family family, byte[] key) {
    batch.delete(engine.number(family), key);
    flushIfFull();
  }

  /// Deletes all rows of a table.
  void clear(Family family) {
    byte[] end = {(byte) 0xFF, (byte) 0xFF};
    batch.deleteRange(engine.number(family), new byte[0], end);
    flush();
  }

  private void flushIfFull() {
    if (batch.size() >= BATCH_BYTES) {
      flush();
    }
  }

  void flush() {
    try {
      if (batch.rows() > 0) {
        engine.write(batch.toBytes());
      }
      batch.clear();
    } catch (RocksDBException e) {
      throw Wall.translated("while writing rows", e);
    }
  }
}
