package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.crash.CrashEvents;
import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Clients that send events while faults happen: one with unary calls, one with a stream. A call
/// that fails is made again, as a correct client does.
final class TortureLoad {

  private static final int STREAM_CHUNK = 8;
  private static final int STREAM_UNANSWERED = 64;
  private static final long PAUSE_NANOS = 1_000_000;
  private static final long PAUSE_AFTER_FAILURE_NANOS = 20_000_000;

  private final CrashEvents story;
  private final AtomicInteger next = new AtomicInteger();
  private final Queue<Integer> again = new ConcurrentLinkedQueue<>();
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean stopping;
  private volatile List<Thread> clients = List.of();

  TortureLoad(long seed) {
    story = new CrashEvents(seed);
  }

  /// Starts sending; it continues until [#stop].
  void start(MemoryClient client) {
    stopping = false;
    clients =
        List.of(
            Thread.ofPlatform().start(() -> unary(client)),
            Thread.ofPlatform().start(() -> streams(client)));
  }

  /// Stops sending and waits for the answers to what was sent.
  void stop() {
    stopping = true;
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while clients end", e);
      }
    }
    clients = List.of();
  }

  /// Sends one event.
  ///
  /// @return whether it was stored
  boolean sendOne(MemoryClient client) {
    int number = take();
    try {
      answered(number, client.ingest().append(story.event(number)));
      return true;
    } catch (MemoryException e) {
      again.add(number);
      return false;
    }
  }

  /// Sends the events that were not acknowledged again, until one is not stored.
  ///
  /// @return whether none is left
  boolean sendRest(MemoryClient client) {
    while (!again.isEmpty()) {
      if (!sendOne(client)) {
        return false;
      }
    }
    return true;
  }

  /// The acknowledged events.
  Map<EventId, Event> acknowledged() {
    var events = new HashMap<EventId, Event>();
    for (int number : acknowledged) {
      Event event = story.event(number);
      events.put(event.id(), event);
    }
    return events;
  }

  /// All events that were sent, acknowledged or not.
  Map<EventId, Event> sent() {
    var events = new HashMap<EventId, Event>();
    for (int number = 0; number < next.get(); number++) {
      Event event = story.event(number);
      events.put(event.id(), event);
    }
    return events;
  }

  /// Refusals of valid events.
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  /// Calls and streams that failed.
  int failures() {
    return failures.get();
  }

  private int take() {
    Integer open = again.poll();
    return open == null ? next.getAndIncrement() : open;
  }

  private void unary(MemoryClient client) {
    while (!stopping) {
      int number = take();
      try {
        answered(number, client.ingest().append(story.event(number)));
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (MemoryException e) {
        again.add(number);
        failed();
      }
    }
  }

  private void streams(MemoryClient client) {
    while (!stopping) {
      var unanswered = new ConcurrentLinkedQueue<Integer>();
      try (IngestStream stream = client.openStream(receipt -> answered(receipt, unanswered))) {
        while (!stopping) {
          send(stream, unanswered);
          LockSupport.parkNanos(PAUSE_NANOS * STREAM_CHUNK);
          while (stream.sent() - stream.answered() > STREAM_UNANSWERED && !stopping) {
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        }
      } catch (MemoryException e) {
        failed();
      } finally {
        again.addAll(unanswered);
      }
    }
  }

  private void send(IngestStream stream, Queue<Integer> unanswered) {
    var numbers = new ArrayList<Integer>();
    while (numbers.size() < STREAM_CHUNK) {
      numbers.add(take());
    }
    unanswered.addAll(numbers);
    stream.send(numbers.stream().map(story::event).toList());
  }

  /// Answers come in the order of the events.
  private void answered(Receipt receipt, Queue<Integer> unanswered) {
    Integer number = unanswered.poll();
    if (number != null) {
      answered(number, receipt);
    }
  }

  private void answered(int number, Receipt receipt) {
    if (receipt.stored()) {
      acknowledged.add(number);
    } else {
      refusals.add("event " + number + " was refused: " + receipt);
    }
  }

  private void failed() {
    failures.incrementAndGet();
    LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
  }
}
