package dev.agentmemory.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Collects the unreadable rows that the reads of one call had to leave out, so that its answer can
/// name them. It is bound to the thread that does the work of the call.
public final class PassedOver {

  /// At most that many ranges are kept for a call.
  public static final int MOST_RANGES = 100;

  private static final ScopedValue<PassedOver> CALL = ScopedValue.newInstance();

  private final Set<DamagedRange> ranges = new LinkedHashSet<>();

  /// Runs a task and collects the ranges that reads on the same thread omit meanwhile.
  public <T> T during(Supplier<T> work) {
    return ScopedValue.where(CALL, this).call(work::get);
  }

  /// Notes a range for the call of the current thread; without one nothing happens.
  public static void add(DamagedRange range) {
    if (CALL.isBound()) {
      CALL.get().note(range);
    }
  }

  private synchronized void note(DamagedRange range) {
    if (ranges.size() < MOST_RANGES) {
      ranges.add(range);
    }
  }

  /// The omitted ranges, each once, in the order in which they were found.
  public synchronized List<DamagedRange> ranges() {
    return List.copyOf(ranges);
  }
}
