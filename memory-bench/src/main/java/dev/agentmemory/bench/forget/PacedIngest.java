package dev.agentmemory.bench.forget;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Sends events one by one at a steady rate, whether or not earlier ones were acknowledged, and
/// measures how long each took since its planned time.
final class PacedIngest implements AutoCloseable {

  static final int PER_SECOND = 200;

  private static final int IN_SESSION = 200;
  private static final int LENGTH = 200;
  private static final int MOST_AT_ONCE = 10_000;

  /// In a year of their own, so that no node of other events rests on them.
  private static final Instant START = Instant.parse("2021-03-01T08:00:00Z");

  private final MemoryClient client;
  private final Semaphore slots = new Semaphore(MOST_AT_ONCE);
  private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
  private final Thread thread = Thread.ofPlatform().unstarted(this::send);
  private List<Double> millis = new ArrayList<>();
  private volatile boolean stopping;

  private PacedIngest(MemoryClient client) {
    this.client = client;
  }

  static PacedIngest start(MemoryClient client) {
    var load = new PacedIngest(client);
    load.thread.start();
    return load;
  }

  private void send() {
    long start = System.nanoTime();
    for (int number = 0; !stopping && failed.get() == null; number++) {
      Event event = event(number);
      long planned = start + (long) (number * 1e9 / PER_SECOND);
      try {
        TimeUnit.NANOSECONDS.sleep(planned - System.nanoTime());
      } catch (InterruptedException e) {
        return;
      }
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

  private static Event event(int number) {
    boolean asks = number % 2 == 0;
    return PlainEvents.of(
        new SessionId("paced-%06d".formatted(number / IN_SESSION)),
        START.plusSeconds(number),
        asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE,
        asks ? EventRole.USER : EventRole.ASSISTANT,
        GeneratedProse.text(LENGTH, new SplittableRandom(number)));
  }

  private synchronized void answered(double took, @Nullable Throwable failure) {
    if (failure == null) {
      millis.add(took);
    } else {
      failed.set(failure);
    }
  }

  /// Starts a measurement.
  synchronized void measure() {
    millis = new ArrayList<>();
  }

  /// Milliseconds of the calls since [#measure].
  ///
  /// @throws IllegalStateException when one failed
  synchronized Measured measured() {
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
