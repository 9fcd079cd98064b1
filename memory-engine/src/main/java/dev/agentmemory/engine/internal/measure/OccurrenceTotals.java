package dev.agentmemory.engine.internal.measure;

import dev.agentmemory.api.metrics.OccurrenceKey;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.MemoryException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sums of what several sources count. A source counts from its own beginning and ends when its
/// workspace is closed; the sums only grow. A source is read when somebody asks, and once more
/// before it ends.
public final class OccurrenceTotals {

  private static final Logger LOG = LoggerFactory.getLogger(OccurrenceTotals.class);

  private final Map<OccurrenceKey, LongAdder> sums = new ConcurrentHashMap<>();

  /// Adds a source. What it has counted before does not count here.
  public Source source(Supplier<Map<OccurrenceKey, Long>> counts) {
    return new Source(counts);
  }

  /// The sums so far.
  public Map<OccurrenceKey, Long> sums() {
    Map<OccurrenceKey, Long> now = new HashMap<>();
    sums.forEach((key, sum) -> now.put(key, sum.sum()));
    return now;
  }

  /// What counts by itself.
  public final class Source {

    private final Supplier<Map<OccurrenceKey, Long>> counts;
    private final Mutex lock = new Mutex();

    /// Guarded by the lock.
    private Map<OccurrenceKey, Long> seen;

    private Source(Supplier<Map<OccurrenceKey, Long>> counts) {
      this.counts = counts;
      this.seen = counts.get();
    }

    /// Adds what was counted since the last time. A count that has become less began again.
    public void read() {
      try (var _ = lock.hold()) {
        Map<OccurrenceKey, Long> now = counts.get();
        now.forEach((key, count) -> {
          long before = seen.getOrDefault(key, 0L);
          long more = count < before ? count : count - before;
          sums.computeIfAbsent(key, _ -> new LongAdder()).add(more);
        });
        seen = now;
      }
    }

    /// The same before it ends. If it cannot be read any more, the sums lack what it has counted
    /// since the last time.
    public void readLast() {
      try {
        read();
      } catch (MemoryException e) {
        LOG.debug("the last counts of a workspace cannot be read", e);
      }
    }
  }
}
