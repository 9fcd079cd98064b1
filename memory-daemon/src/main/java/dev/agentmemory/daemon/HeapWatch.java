package dev.agentmemory.daemon;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.spi.Ticker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Collects the old generation of the Java heap when it has grown. The serial collector does that
/// only when the heap has reached its limit. Until then the memory of the process would grow with
/// objects that are no longer needed.
///
/// The first look is some time after the start, which it does not slow down.
final class HeapWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HeapWatch.class);

  static final Duration PERIOD = Duration.ofMinutes(1);

  /// Growth since the last collection that is worth the next one, in bytes, and as a part of what
  /// was in use after the last one. The larger of the two counts.
  static final long LEAST_GROWTH = 16L << 20;

  static final int PARTS = 4;

  /// The next look is that many times later than a collection took: collections take at most a
  /// fiftieth of the time, also on a machine that is busy with something else.
  static final int REST = 50;

  private final Ticker ticker;
  private final OldGeneration old;
  private final BackgroundLoop loop;

  /// What was in use after the last collection.
  private long kept;

  HeapWatch(Ticker ticker, OldGeneration old) {
    this.ticker = ticker;
    this.old = old;
    this.loop = new BackgroundLoop("memory-heap", PERIOD, this::look);
  }

  static HeapWatch start(Ticker ticker) {
    var watch = new HeapWatch(ticker, new TenuredGeneration());
    watch.loop.start();
    return watch;
  }

  @Override
  public void close() {
    loop.close();
  }

  /// @return how long to wait for the next look
  Duration look() {
    long used = old.used();
    // The JVM may have collected it as well.
    kept = Math.min(kept, used);
    if (used - kept < Math.max(LEAST_GROWTH, kept / PARTS)) {
      return PERIOD;
    }
    long start = ticker.nanos();
    old.collect();
    Duration took = Duration.ofNanos(ticker.nanos() - start);
    kept = old.used();
    LOG.debug("collected the heap in {} ms: {} of {} bytes left", took.toMillis(), kept, used);
    Duration rest = took.multipliedBy(REST);
    return rest.compareTo(PERIOD) > 0 ? rest : PERIOD;
  }
}
