package dev.agentmemory.rocksdb.internal.engine;

import org.rocksdb.RocksDBException;

/// Destination of batches: the engine, or in tests a disk that fails.
public interface BatchSink {

  /// Writes a batch of [RocksBatch] to the log and the tables; not yet durable.
  void write(byte[] batch) throws RocksDBException;

  /// Makes earlier writes durable, as far as the store is configured to.
  void sync() throws RocksDBException;
}
