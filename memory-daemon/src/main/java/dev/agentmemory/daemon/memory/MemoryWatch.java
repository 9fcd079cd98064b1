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

  /// Between two attempts to free memory: all threads stand still for a part of one.
  static final Duration REST = Duration.ofSeconds(2);

  /// The same while work is taken and memory has hardly risen since: what is in use then cannot be
  /// freed, and an attempt would only hold up calls.
  static final Duration LONG_REST = Duration.ofSeconds(60);

  /// How much of the ceiling memory has to rise for that.
  static final double RISE = 0.04;

  private final Ticker ticker;
  private final long ceiling;
  private final LongSupplier used;
  private final Runnable free;
  private final BackgroundLoop loop;
  private long freed;
  private long afterFreeing;
  private volatile long last;
  private volatile boolean near;

  /// @param ceiling in bytes
  /// @param used what the process takes now
  /// @param free gives back what is not needed
  MemoryWatch(Ticker ticker, long ceiling, LongSupplier used, Runnable free) {
    this.ticker = ticker;
    this.ceiling = ceiling;
    this.used = used;
    this.free = free;
    this.freed = ticker.nanos() - LONG_REST.toNanos();
    this.loop = new BackgroundLoop("memory-ceiling", PERIOD, this::look);
  }

  /// Watches this process.
  public static MemoryWatch start(Ticker ticker, long ceiling) {
    var watch = new MemoryWatch(ticker, ceiling, ProcessMemory::bytes, ProcessMemory::free);
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
    if (now > FREE * ceiling && ticker.nanos() - freed >= rest(now).toNanos()) {
      free.run();
      freed = ticker.nanos();
      now = used.getAsLong();
      afterFreeing = now;
      last = now;
    }
    boolean before = near;
    near = now > (before ? AGAIN : NEAR) * ceiling;
    if (near && !before) {
      LOG.warn(
          "{} of {} MiB of memory.ceiling are in use: new work is refused",
          now >> 20,
          ceiling >> 20);
    } else if (before && !near) {
      LOG.info(
          "{} of {} MiB of memory.ceiling are in use: work is taken again",
          now >> 20,
          ceiling >> 20);
    }
    return PERIOD;
  }

  private Duration rest(long now) {
    boolean hasRisen = now - afterFreeing > RISE * ceiling;
    return near || now > NEAR * ceiling || hasRisen ? REST : LONG_REST;
  }

  @Override
  public void close() {
    loop.close();
  }
}
