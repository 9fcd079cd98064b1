package dev.agentmemory.daemon.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/// What each part of the daemon may take at most, in bytes. Files that are mapped are left out,
/// because the system drops them when memory is short.
///
/// @param heap of Java
/// @param direct memory of Java outside of the heap: what is received and sent
/// @param stores caches and write buffers of all stores
/// @param model that embeds, if it is in this process
/// @param rest code, classes, threads, the collector, and what the C library holds
public record MemoryParts(long heap, long direct, long stores, long model, long rest) {

  private static final long MIB = 1 << 20;

  /// The young generation of the launcher alone has 88 MiB.
  static final long LEAST_HEAP = 96 * MIB;

  private static final long WITH_MODEL = 1024 * MIB;
  private static final long WITHOUT_MODEL = 600 * MIB;

  private static final long MODEL = 170 * MIB;
  private static final long REST = 140 * MIB;

  /// The parts of this process.
  public static MemoryParts of(DaemonConfig config) {
    var jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long heap = option(jvm, "MaxHeapSize");
    long direct = option(jvm, "MaxDirectMemorySize");
    StorageConfig storage = config.engine().storage();
    return new MemoryParts(
        heap,
        direct == 0 ? heap : direct,
        // Write buffers are a part of the cache.
        Math.max(storage.blockCacheBytes(), storage.writeBufferBytes()),
        config.engine().embedding().provider() == EmbeddingConfig.Provider.LOCAL ? MODEL : 0,
        REST);
  }

  private static long option(HotSpotDiagnosticMXBean jvm, String name) {
    return Long.parseLong(jvm.getVMOption(name).getValue());
  }

  /// The most that all of them take together.
  public long sum() {
    return heap + direct + stores + model + rest;
  }

  /// The most memory of the process.
  ///
  /// @param set by the user; without it, settings and options of Java that take more raise it
  public long ceiling(Optional<Long> set) {
    return set.orElseGet(() -> Math.max(model > 0 ? WITH_MODEL : WITHOUT_MODEL, sum()));
  }

  /// @param set the ceiling, if the user has set one
  /// @throws MemoryException `CONFLICT` when the heap is too small, or the parts may exceed the
  ///   ceiling together
  public void check(Optional<Long> set) {
    long ceiling = ceiling(set);
    if (heap < LEAST_HEAP) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the Java heap may take %d MiB, and the daemon needs %d MiB; start it without -Xmx in MEMORY_JAVA_OPTS, or with more"
              .formatted(heap / MIB, LEAST_HEAP / MIB));
    }
    if (sum() > ceiling) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("Java heap (%d MiB), direct memory (%d), caches of stores (%d), model (%d) and the rest (%d)"
                  + " may take %d MiB together, and memory.ceiling is %d MiB; raise memory.ceiling,"
                  + " or lower storage.block_cache and storage.write_buffer, or the heap with"
                  + " MEMORY_JAVA_OPTS=-Xmx%dm")
              .formatted(
                  heap / MIB,
                  direct / MIB,
                  stores / MIB,
                  model / MIB,
                  rest / MIB,
                  sum() / MIB,
                  ceiling / MIB,
                  Math.max(LEAST_HEAP, heap - (sum() - ceiling)) / MIB));
    }
  }
}
