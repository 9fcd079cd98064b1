package dev.agentmemory.rocksdb.internal.engine;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.spi.Mutex;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memory that stores share: one block cache, and one budget of write buffers that is charged
/// to it. All open stores together use no more than that for blocks and unflushed rows. The threads
/// for flushes and compactions belong to the process and are shared in any case.
///
/// Close it after the stores that were opened with it.
public final class NativeMemory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NativeMemory.class);

  private final boolean forOneStore;
  private final long bytes;
  private final LRUCache cache;
  private final WriteBufferManager buffers;
  private final AtomicInteger stores = new AtomicInteger();
  private final AtomicBoolean freed = new AtomicBoolean();
  private final Mutex freeing = new Mutex();

  private NativeMemory(StorageConfig config, boolean forOneStore) {
    RocksDB.loadLibrary();
    this.forOneStore = forOneStore;
    this.bytes = config.blockCacheBytes();
    this.cache = new LRUCache(config.blockCacheBytes());
    this.buffers = new WriteBufferManager(config.writeBufferBytes(), cache);
  }

  /// Memory for many stores; the caller closes it.
  ///
  /// @param config its sizes of cache and write buffers are used
  public static NativeMemory shared(StorageConfig config) {
    return new NativeMemory(config, /* forOneStore= */ false);
  }

  /// Memory that is freed with the first store that uses it.
  public static NativeMemory alone(StorageConfig config) {
    return new NativeMemory(config, /* forOneStore= */ true);
  }

  public LRUCache cache() {
    return cache;
  }

  public WriteBufferManager buffers() {
    return buffers;
  }

  /// Size of what is in the cache, write buffers included; 0 once it is freed.
  public long usedBytes() {
    try (var _ = freeing.hold()) {
      return freed.get() ? 0 : cache.getUsage();
    }
  }

  /// Called when a store is opened with it.
  public void enter() {
    stores.incrementAndGet();
    if (freed.get()) {
      stores.decrementAndGet();
      throw new IllegalStateException("the stores' memory is closed");
    }
  }

  /// Called when a store was closed with all its native objects.
  public void leave() {
    LOG.debug(
        "a store was closed: {} of {} bytes of cache are used, {} of them pinned",
        cache.getUsage(),
        bytes,
        cache.getPinnedUsage());
    if (stores.decrementAndGet() == 0 && forOneStore) {
      free();
    }
  }

  /// Frees it; a second call does nothing.
  ///
  /// @throws IllegalStateException while a store is open with it
  @Override
  public void close() {
    int open = stores.get();
    if (open > 0) {
      throw new IllegalStateException(open + " stores are open; close them before their memory");
    }
    free();
  }

  private void free() {
    try (var _ = freeing.hold()) {
      if (freed.compareAndSet(false, true)) {
        buffers.close();
        cache.close();
      }
    }
  }
}
