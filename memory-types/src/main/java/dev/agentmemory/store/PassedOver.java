package dev.agentmemory.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Collects the unreadable rows that the reads of one call had to leave out, so that its answer can
/// name them. It is bound to the thread that does the work of the call.
public final class PassedOver {

  /// At most that many ranges are kept for a call.
  public static final int MOST_RANGES = 100;

  private static final ScopedValue<PassedOver> CALL = ScopedValue.newInstance();

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<DamagedRange> ranges = new LinkedHashSet<>();

  /// Does some work and collects what is left out meanwhile on the same thread.
  public <T> T during(Supplier<T> work) {
    return ScopedValue.where(CALL, this).call(work::get);
  }

  /// Notes a range for the call of the current thread; without one nothing happens.
  public static void add(DamagedRange range) {
    if (CALL.isBound()) {
      CALL.get().note(range);
    }
  }

  private void note(DamagedRange range) {
    lock.lock();
    try {
      if (ranges.size() < MOST_RANGES) {
        ranges.add(range);
      }
    } finally {
      lock.unlock();
    }
  }

  /// What was left out, each range once, in the order in which it was met.
  public List<DamagedRange> ranges() {
    lock.lock();
    try {
      return List.copyOf(ranges);
    } finally {
      lock.unlock();
    }
  }
}
