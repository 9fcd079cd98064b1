package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.storage.measure.CommitFigures;
import org.rocksdb.RocksDBException;

/// Measures how long the log takes to be synced. A sync that fails is not counted.
public record MeasuredSink(BatchSink sink, CommitFigures figures) implements BatchSink {

  @Override
  public void write(byte[] batch) throws RocksDBException {
    sink.write(batch);
  }

  @Override
  public void sync() throws RocksDBException {
    long begun = figures.nanos();
    sink.sync();
    figures.synced(begun);
  }
}
