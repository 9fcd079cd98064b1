package dev.agentmemory.bench.search;

import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// Sends a fixed number of events per second, one call each, until it is closed.
final class Trickle implements AutoCloseable {

  private final MemoryClient client;
  private final double perSecond;
  private final IntFunction<Event> events;
  private final Consumer<Event> acknowledged;
  private final AtomicLong acks = new AtomicLong();
  private final AtomicReference<Throwable> failed = new AtomicReference<>();
  private final Clock clock = Clock.start();
  private final Thread sender;
  private volatile boolean over;

  private Trickle(
      MemoryClient client,
      double perSecond,
      IntFunction<Event> events,
      Consumer<Event> acknowledged) {
    this.client = client;
    this.perSecond = perSecond;
    this.events = events;
    this.acknowledged = acknowledged;
    this.sender = Thread.ofPlatform().daemon().name("trickle").unstarted(this::send);
  }

  /// @param events returns event 0 and on
  /// @param acknowledged receives every durable event, on the transport's thread
  static Trickle start(
      MemoryClient client,
      double perSecond,
      IntFunction<Event> events,
      Consumer<Event> acknowledged) {
    var trickle = new Trickle(client, perSecond, events, acknowledged);
    trickle.sender.start();
    return trickle;
  }

  private void send() {
    try {
      for (int i = 0; !over; i++) {
        TimeUnit.NANOSECONDS.sleep((long) ((i / perSecond - clock.seconds()) * 1e9));
        Event event = events.apply(i);
        var _ =
            client
                .ingest()
                .appendAsync(event)
                .whenComplete((receipt, failure) -> {
                  if (failure == null) {
                    acks.incrementAndGet();
                    acknowledged.accept(event);
                  } else {
                    failed.set(failure);
                  }
                });
      }
    } catch (InterruptedException e) {
      // Closed while it waited for the next call.
    } catch (RuntimeException e) {
      failed.set(e);
    }
  }

  /// Acknowledged events per second so far.
  ///
  /// @throws IllegalStateException when one was not stored
  double rate() {
    Throwable one = failed.get();
    if (one != null) {
      throw new IllegalStateException("an event was not stored", one);
    }
    return acks.get() / clock.seconds();
  }

  @Override
  public void close() {
    over = true;
    sender.interrupt();
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
