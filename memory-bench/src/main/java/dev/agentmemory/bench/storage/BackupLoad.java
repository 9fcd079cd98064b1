package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.data.WorkDay;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Sends events continuously with a fixed number of concurrent calls. Records which events are
/// acknowledged and how long each took.
final class BackupLoad implements AutoCloseable {

  static final int AT_ONCE = 64;

  private final MemoryClient client;
  private final Semaphore slots = new Semaphore(AT_ONCE);
  private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
  private final BitSet acknowledged = new BitSet();
  private List<Double> times = new ArrayList<>();
  private final Thread thread = Thread.ofPlatform().unstarted(this::send);
  private volatile boolean stopping;

  private BackupLoad(MemoryClient client) {
    this.client = client;
  }

  static BackupLoad start(MemoryClient client) {
    var load = new BackupLoad(client);
    load.thread.start();
    return load;
  }

  private void send() {
    for (int number = 0; !stopping && failed.get() == null; number++) {
      Event event = WorkDay.event(number);
      int sent = number;
      slots.acquireUninterruptibly();
      Clock clock = Clock.start();
      var _ =
          client
              .ingest()
              .appendAsync(event)
              .whenComplete((receipt, failure) -> {
                answered(sent, clock.micros(), failure);
                slots.release();
              });
    }
    slots.acquireUninterruptibly(AT_ONCE);
  }

  private synchronized void answered(int number, double micros, @Nullable Throwable failure) {
    if (failure == null) {
      acknowledged.set(number);
      times.add(micros);
    } else {
      failed.set(failure);
    }
  }

  /// Numbers of the events that are acknowledged so far.
  ///
  /// @throws IllegalStateException when one was refused
  synchronized BitSet acknowledged() {
    Throwable one = failed.get();
    if (one != null) {
      throw new IllegalStateException("an event was refused under load", one);
    }
    return (BitSet) acknowledged.clone();
  }

  /// Starts the measurement.
  synchronized void measure() {
    times = new ArrayList<>();
  }

  /// Durations of the calls since [#measure], in microseconds.
  synchronized Measured measured() {
    return new Measured(times);
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
