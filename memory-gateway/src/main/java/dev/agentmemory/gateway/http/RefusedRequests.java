package dev.agentmemory.gateway.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Counts what was refused since the start.
public final class RefusedRequests {

  private final Map<RefusalReason, LongAdder> counts = new EnumMap<>(RefusalReason.class);

  public RefusedRequests() {
    for (RefusalReason reason : RefusalReason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  public void add(RefusalReason reason) {
    LongAdder counter = counts.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  /// The reasons that have occurred.
  public Map<RefusalReason, Long> counts() {
    Map<RefusalReason, Long> found = new EnumMap<>(RefusalReason.class);
    counts.forEach((reason, counter) -> {
      if (counter.sum() > 0) {
        found.put(reason, counter.sum());
      }
    });
    return found;
  }
}
