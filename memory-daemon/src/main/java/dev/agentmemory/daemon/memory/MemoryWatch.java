package dev.agentmemory.daemon.memory;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Ticker;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at the memory of the process, and says when it comes near the ceiling. Then new work has
/// to be refused, and what can be freed is freed.
public final class MemoryWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);

  private static final Duration PERIOD = Duration.ofMillis(100);

  /// Work is refused from the first part of the ceiling on, until the memory is below the second.
  static final double NEAR = 0.92;

  static final double AGAIN = 0.88;

  /// Memory is freed from this part of the ceiling on.
  static final double FREE = 0.85;

  /// Between two attempts to free memory: all threads stand still while the heap is collected.
  static final Duration REST = Duration.ofSeconds(2);

  /// While work is taken, each attempt that frees less than this part of the ceiling doubles the
  /// time until the next one: what is in use cannot be freed, and an attempt holds up calls. One
  /// that frees more halves it.
  static final double WORTH = 0.04;

  static final Duration LONGEST_REST = REST.multipliedBy(32);

  private final Ticker ticker;
  private final long ceiling;
  private final LongSupplier used;
  private final Runnable trim;
  private final Runnable collect;
  private final BackgroundLoop loop;
  private long freed;
  private Duration rest = REST;
  private volatile long last;
  private volatile boolean near;

  /// @param ceiling in bytes
  /// @param used what the process takes now
  /// @param trim gives back what native code has freed; it holds up no call
  /// @param collect collects the heap, and gives back what native code has freed then; done if that
  ///   alone is not enough
  MemoryWatch(Ticker ticker, long ceiling, LongSupplier used, Runnable trim, Runnable collect) {
    this.ticker = ticker;
    this.ceiling = ceiling;
    this.used = used;
    this.trim = trim;
    this.collect = collect;
    this.freed = ticker.nanos() - REST.toNanos();
    this.loop = new BackgroundLoop("memory-ceiling", PERIOD, this::look);
  }

  /// Watches this process.
  public static MemoryWatch start(Ticker ticker, long ceiling) {
    var watch =
        new MemoryWatch(
            ticker, ceiling, ProcessMemory::bytes, ProcessMemory::trim, ProcessMemory::collect);
    watch.loop.start();
    return watch;
  }

  /// Whether new work is to be refused.
  public boolean isNear() {
    return near;
  }

  /// What the process took a moment ago, in bytes.
  public long used() {
    return last;
  }

  public long ceiling() {
    return ceiling;
  }

  Duration look() {
    long now = used.getAsLong();
    last = now;
    Duration due = near || now > NEAR * ceiling ? REST : rest;
    if (now > FREE * ceiling && ticker.nanos() - freed >= due.toNanos()) {
      long before = now;
      trim.run();
      now = used.getAsLong();
      if (now > FREE * ceiling) {
        collect.run();
        now = used.getAsLong();
      }
      freed = ticker.nanos();
      last = now;
      boolean inVain = before - now < WORTH * ceiling;
      rest = inVain ? longer(rest) : shorter(rest);
    }
    boolean wasNear = near;
    near = now > (wasNear ? AGAIN : NEAR) * ceiling;
    if (near && !wasNear) {
      LOG.warn(
          "{} of {} MiB of memory.ceiling are in use: new work is refused",
          now >> 20,
          ceiling >> 20);
    } else if (wasNear && !near) {
      LOG.info(
          "{} of {} MiB of memory.ceiling are in use: work is taken again",
          now >> 20,
          ceiling >> 20);
    }
    return PERIOD;
  }

  private static Duration longer(Duration rest) {
    return rest.compareTo(LONGEST_REST) < 0 ? rest.multipliedBy(2) : rest;
  }

  private static Duration shorter(Duration rest) {
    return rest.compareTo(REST) > 0 ? rest.dividedBy(2) : rest;
  }

  @Override
  public void close() {
    loop.close();
  }
}
