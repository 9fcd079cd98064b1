package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.NativeMemory;
import dev.agentmemory.storage.measure.CommitFigures;

/// The block cache and the write buffers that stores share, and what is measured of them. Close it
/// after the stores that were opened with it.
public final class StoreMemory implements AutoCloseable {

  private final NativeMemory memory;
  private final CommitFigures figures;

  /// @param config of which the sizes of cache and write buffers count
  public StoreMemory(StorageConfig config) {
    this(config, CommitFigures.untimed());
  }

  /// @param config of which the sizes of cache and write buffers count
  /// @param figures is told of the commits of all stores
  public StoreMemory(StorageConfig config, CommitFigures figures) {
    this.memory = NativeMemory.shared(config);
    this.figures = figures;
  }

  /// Size of what is in the cache, write buffers included; 0 once it is closed.
  public long usedBytes() {
    return memory.usedBytes();
  }

  CommitFigures figures() {
    return figures;
  }

  NativeMemory memory() {
    return memory;
  }

  /// Frees it; a second call does nothing.
  ///
  /// @throws IllegalStateException while a store is open with it
  @Override
  public void close() {
    memory.close();
  }
}
