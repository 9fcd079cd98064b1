package dev.agentmemory.bench.soak;

import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Sends events of [Talk] in batches. What a daemon that ends does not acknowledge is sent again,
/// with the same ids, to the next one.
final class SoakLoad {

  private final Queue<List<Event>> again = new ConcurrentLinkedQueue<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private int sessions;
  private List<Event> rest = List.of();

  /// Sends some events without waiting for the answer.
  void send(MemoryClient client, int count) {
    // Those that fail meanwhile wait for the next time.
    for (int i = again.size(); i > 0; i--) {
      List<Event> open = again.remove();
      repeated.addAndGet(open.size());
      send(client, open);
    }
    int left = count;
    while (left > 0) {
      if (rest.isEmpty()) {
        rest = Talk.session(sessions++);
      }
      int taken = Math.min(left, rest.size());
      send(client, rest.subList(0, taken));
      rest = rest.subList(taken, rest.size());
      left -= taken;
    }
  }

  private void send(MemoryClient client, List<Event> events) {
    var _ =
        client
            .ingest()
            .append(events)
            .whenComplete((receipts, failure) -> {
              if (failure != null) {
                again.add(events);
                return;
              }
              acknowledged.addAndGet(receipts.size());
              refused.addAndGet(receipts.stream().filter(receipt -> !receipt.stored()).count());
            });
  }

  /// Events whose storage was acknowledged, each once.
  long acknowledged() {
    return acknowledged.get();
  }

  /// Events that the daemon refused.
  long refused() {
    return refused.get();
  }

  /// Events that were sent again.
  long repeated() {
    return repeated.get();
  }

  /// Events that were sent, each once.
  long sent() {
    return (long) sessions * Talk.IN_SESSION - rest.size();
  }
}
