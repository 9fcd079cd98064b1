package dev.agentmemory.bench.daemon;

import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Sends events one by one at a steady rate, whether or not earlier ones were acknowledged, and
/// measures how long each took since its planned time.
public final class PacedIngest implements AutoCloseable {

  private static final int MOST_AT_ONCE = 10_000;

  private final MemoryClient client;
  private final int perSecond;
  private final IntFunction<Event> events;
  private final Semaphore slots = new Semaphore(MOST_AT_ONCE);
  private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
  private final Thread thread = Thread.ofPlatform().unstarted(this::send);
  private List<Double> millis = new ArrayList<>();
  private volatile boolean stopping;

  private PacedIngest(MemoryClient client, int perSecond, IntFunction<Event> events) {
    this.client = client;
    this.perSecond = perSecond;
    this.events = events;
  }

  /// @param perSecond how many events are sent in a second
  /// @param events makes the event of a number, 0 and up, right before it is sent
  public static PacedIngest start(MemoryClient client, int perSecond, IntFunction<Event> events) {
    var load = new PacedIngest(client, perSecond, events);
    load.thread.start();
    return load;
  }

  private void send() {
    long start = System.nanoTime();
    for (int number = 0; !stopping && failed.get() == null; number++) {
      long planned = start + (long) (number * 1e9 / perSecond);
      try {
        TimeUnit.NANOSECONDS.sleep(planned - System.nanoTime());
      } catch (InterruptedException e) {
        return;
      }
      Event event = events.apply(number);
      slots.acquireUninterruptibly();
      var _ =
          client
              .ingest()
              .appendAsync(event)
              .whenComplete((receipt, failure) -> {
                answered((System.nanoTime() - planned) / 1e6, failure);
                slots.release();
              });
    }
    slots.acquireUninterruptibly(MOST_AT_ONCE);
  }

  private synchronized void answered(double took, @Nullable Throwable failure) {
    if (failure == null) {
      millis.add(took);
    } else {
      failed.compareAndSet(
          null, new IllegalStateException("refused after %.0f ms".formatted(took), failure));
    }
  }

  /// Starts a measurement.
  public synchronized void measure() {
    millis = new ArrayList<>();
  }

  /// Milliseconds of the calls since [#measure].
  ///
  /// @throws IllegalStateException when one failed
  public synchronized Measured measured() {
    Throwable one = failed.get();
    if (one != null) {
      throw new IllegalStateException("an event was refused under load", one);
    }
    return new Measured(millis);
  }

  /// Returns when every call is answered.
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
