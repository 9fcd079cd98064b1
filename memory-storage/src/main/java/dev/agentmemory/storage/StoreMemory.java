package dev.agentmemory.storage;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.storage.internal.rocksdb.NativeMemory;

/// The block cache and the write buffers that stores share. Close it after the stores that were
/// opened with it.
public final class StoreMemory implements AutoCloseable {

  private final NativeMemory memory;

  /// @param config of which the sizes of cache and write buffers count
  public StoreMemory(StorageConfig config) {
    this.memory = NativeMemory.shared(config);
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
