package dev.agentmemory.bench.daemon;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/// The two ways of sending many items.
public final class Sending {

  /// Events in one call of the stream.
  private static final int CHUNK = 500;

  private Sending() {}

  /// Sends events over one stream until all are acknowledged.
  ///
  /// @throws IllegalStateException when one was refused
  public static void stream(MemoryClient client, List<Event> events) {
    var refused = new AtomicReference<Receipt>();
    try (var stream =
        client.openStream(receipt -> {
          if (!receipt.stored()) {
            refused.set(receipt);
          }
        })) {
      for (int from = 0; from < events.size(); from += CHUNK) {
        stream.send(events.subList(from, Math.min(from + CHUNK, events.size())));
      }
    }
    Receipt one = refused.get();
    if (one != null) {
      throw new IllegalStateException("an event was refused: " + one);
    }
  }

  /// Makes calls with a fixed concurrency until all are answered.
  ///
  /// @param call starts call number i
  /// @throws IllegalStateException when one failed
  public static void inFlight(int atOnce, int calls, IntFunction<CompletableFuture<?>> call) {
    var slots = new Semaphore(atOnce);
    var failed = new AtomicReference<Throwable>();
    for (int i = 0; i < calls; i++) {
      slots.acquireUninterruptibly();
      var _ =
          call.apply(i)
              .whenComplete((answer, failure) -> {
                if (failure != null) {
                  failed.set(failure);
                }
                slots.release();
              });
    }
    slots.acquireUninterruptibly(atOnce);
    Throwable one = failed.get();
    if (one != null) {
      throw new IllegalStateException("a call failed: " + one.getMessage(), one);
    }
  }
}
