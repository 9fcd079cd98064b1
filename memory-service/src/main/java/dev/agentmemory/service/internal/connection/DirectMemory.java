package dev.agentmemory.service.internal.connection;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How much of the direct memory is in use: what is received and not parsed yet, and what is sent.
/// When it is short, requests have to be refused before the transport fails to allocate, because
/// that ends all calls of a connection.
///
/// The bytes of requests alone do not tell it: a request keeps the whole buffers in which its parts
/// arrived, also where they contain parts of other requests that have ended. With 80 large requests
/// at a time over one connection, 12 MiB of requests kept 100 MiB of buffers.
public final class DirectMemory {

  /// From this part on a client may have few bytes of requests only.
  static final double SHORT = 0.5;

  /// From this part on no large request is taken.
  static final double FULL = 0.75;

  /// From this part of what is reserved on, a buffer may not be available although less is in use:
  /// what is free can be in pieces.
  static final double RESERVED = 0.875;

  /// What is received between two looks.
  private static final long STEP = 256 << 10;

  /// More than all threads of the transport allocate while each processes what it read at once:
  /// they may share a part of the pool.
  private static final int ROOM = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(DirectMemory.class);

  private final long limit;
  private final ToLongFunction<ByteBufAllocator> inUse;
  private final ToLongFunction<ByteBufAllocator> reserved;
  private final Set<EventExecutor> kept = ConcurrentHashMap.newKeySet();
  private final AtomicLong sinceLook = new AtomicLong();
  private volatile double used;
  private volatile boolean narrow;

  /// @param limit in bytes
  /// @param inUse bytes of buffers that are not released
  /// @param reserved bytes that count against the limit
  DirectMemory(
      long limit,
      ToLongFunction<ByteBufAllocator> inUse,
      ToLongFunction<ByteBufAllocator> reserved) {
    this.limit = limit;
    this.inUse = inUse;
    this.reserved = reserved;
  }

  /// That of this process.
  public static DirectMemory ofProcess() {
    BufferPoolMXBean java =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    // Netty's buffers count in Java's pool or not, as Netty allocates them.
    return new DirectMemory(
        PlatformDependent.maxDirectMemory(),
        allocator -> {
          long netty = PlatformDependent.usedDirectMemory();
          long others = Math.max(0, java.getMemoryUsed() - netty);
          return others
              + (allocator instanceof PooledByteBufAllocator pooled
                  ? pooled.pinnedDirectMemory()
                  : netty);
        },
        _ -> Math.max(java.getMemoryUsed(), PlatformDependent.usedDirectMemory()));
  }

  /// Takes note of bytes that were received.
  ///
  /// @param allocator of their buffer
  void received(long bytes, ByteBufAllocator allocator) {
    if (sinceLook.addAndGet(bytes) >= STEP || used >= SHORT) {
      sinceLook.set(0);
      look(allocator);
    }
  }

  private void look(ByteBufAllocator allocator) {
    boolean before = isShort();
    used = (double) inUse.applyAsLong(allocator) / limit;
    narrow = reserved.applyAsLong(allocator) >= RESERVED * limit;
    if (isShort() && !before) {
      LOG.warn(
          "{} of {} MiB of direct memory are in use: large requests are refused"
              + " (-XX:MaxDirectMemorySize)",
          (long) (used * limit) >> 20,
          limit >> 20);
    }
  }

  /// Whether a client may have few bytes of requests only.
  boolean isShort() {
    return used >= SHORT || (narrow && used >= SHORT / 2);
  }

  /// Whether no large request is taken, and no large answer given.
  boolean isFull() {
    return used >= FULL || (narrow && used >= SHORT);
  }

  /// Whether this thread can allocate what it needs to process what was read at once. The memory
  /// may be in use for other things than requests.
  boolean hasRoom(ByteBufAllocator allocator) {
    return hasRoom(allocator, ROOM);
  }

  /// Whether this thread can allocate a number of bytes.
  boolean hasRoom(ByteBufAllocator allocator, long bytes) {
    narrow = reserved.applyAsLong(allocator) >= RESERVED * limit;
    if (!narrow) {
      return true;
    }
    try {
      return allocator.directBuffer((int) Math.min(bytes, Integer.MAX_VALUE)).release();
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /// Keeps the part of the pool that this thread allocates from, until the thread ends: otherwise
  /// it could be given back, and there might be no memory for as much as a refusal.
  void keepPart(ByteBufAllocator allocator, EventExecutor thread) {
    if (kept.add(thread)) {
      ByteBuf one = allocator.directBuffer(1, 1);
      var _ =
          thread
              .terminationFuture()
              .addListener(_ -> {
                kept.remove(thread);
                one.release();
              });
    }
  }
}
