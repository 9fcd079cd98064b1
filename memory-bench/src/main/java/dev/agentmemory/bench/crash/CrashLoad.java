package dev.agentmemory.bench.crash;

import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Clients that send the events until the daemon dies or they are stopped. Unacknowledged events
/// are sent again after the next start, as a correct client does.
final class CrashLoad {

  private static final int UNARY_CLIENTS = 2;
  private static final int STREAM_CHUNK = 16;
  private static final int LINES_IN_FILE = 400;
  private static final int STREAM_UNANSWERED = 256;
  private static final long PAUSE_NANOS = 200_000;

  private final CrashEvents story;
  private final AtomicInteger next = new AtomicInteger();
  private final Queue<Integer> again = new ConcurrentLinkedQueue<>();
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
  private final AtomicInteger countless = new AtomicInteger();
  private final AtomicInteger cutShort = new AtomicInteger();
  private final CrashCommands commands;
  private volatile boolean endless;
  private volatile boolean stopping;
  private volatile String lastWords = "";
  private volatile List<Thread> clients = List.of();

  /// @param commands the command line, which is one of the clients
  CrashLoad(CrashEvents story, CrashCommands commands) {
    this.story = story;
    this.commands = commands;
  }

  /// Starts sending; it continues until [#stop].
  void start(MemoryClient client) {
    endless = true;
    send(client);
  }

  /// Sends unacknowledged events only, and returns when all are acknowledged.
  void finish(MemoryClient client) {
    endless = false;
    send(client);
    join();
  }

  private void send(MemoryClient client) {
    stopping = false;
    var threads = new ArrayList<Thread>();
    threads.add(Thread.ofPlatform().start(() -> stream(client)));
    if (endless) {
      threads.add(Thread.ofPlatform().start(this::commandLine));
    }
    for (int i = 0; i < UNARY_CLIENTS; i++) {
      threads.add(Thread.ofPlatform().start(() -> unary(client)));
    }
    clients = List.copyOf(threads);
  }

  /// From now on failed calls are expected.
  void stop() {
    stopping = true;
  }

  /// Waits until all clients have ended.
  void join() {
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while clients end", e);
      }
    }
  }

  /// Number of events so far.
  int begun() {
    return next.get();
  }

  Set<Integer> acknowledged() {
    return acknowledged;
  }

  /// Refusals, and failures while no daemon was killed.
  List<String> surprises() {
    return List.copyOf(surprises);
  }

  /// @return -1 when no event is left to send, or sending must stop
  private int take() {
    if (stopping) {
      return -1;
    }
    Integer open = again.poll();
    if (open != null) {
      return open;
    }
    return endless ? next.getAndIncrement() : -1;
  }

  private void commandLine() {
    for (int first = take(); first >= 0; first = take()) {
      List<Integer> numbers = more(first, LINES_IN_FILE);
      boolean before = stopping;
      CrashCommands.Ingested ingested =
          commands.ingest(numbers.stream().map(story::event).toList());
      int acknowledgedNow = ingested.acknowledged().orElse(0);
      acknowledged.addAll(numbers.subList(0, acknowledgedNow));
      again.addAll(numbers.subList(acknowledgedNow, numbers.size()));
      if (acknowledgedNow < numbers.size()) {
        cutShort.incrementAndGet();
        if (!stopping && !before) {
          surprises.add(
              "a command failed while the daemon should have been running: " + ingested.said());
        }
      }
      if (ingested.acknowledged().isEmpty()) {
        countless.incrementAndGet();
        lastWords = ingested.said();
      }
    }
  }

  /// Commands that were interrupted by a kill of the daemon.
  int cutShort() {
    return cutShort.get();
  }

  /// Commands that did not report how many events they stored.
  int countless() {
    return countless.get();
  }

  /// The output of the last of these.
  String lastWords() {
    return lastWords;
  }

  private void unary(MemoryClient client) {
    for (int number = take(); number >= 0; number = take()) {
      try {
        Receipt receipt = client.ingest().append(story.event(number));
        if (receipt instanceof Receipt.Conflict) {
          surprises.add("event " + number + " is a conflict");
        }
        acknowledged.add(number);
      } catch (MemoryException e) {
        again.add(number);
        failed(e);
        return;
      }
    }
  }

  private void stream(MemoryClient client) {
    var unanswered = new ConcurrentLinkedQueue<Integer>();
    try (IngestStream stream = client.openStream(receipt -> answered(receipt, unanswered))) {
      for (int number = take(); number >= 0; number = take()) {
        sendChunk(stream, number, unanswered);
        while (stream.sent() - stream.answered() > STREAM_UNANSWERED && !stopping) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    } catch (MemoryException e) {
      failed(e);
    } finally {
      again.addAll(unanswered);
    }
  }

  private void sendChunk(IngestStream stream, int first, Queue<Integer> unanswered) {
    List<Integer> numbers = more(first, STREAM_CHUNK);
    unanswered.addAll(numbers);
    stream.send(numbers.stream().map(story::event).toList());
  }

  private List<Integer> more(int first, int atMost) {
    var numbers = new ArrayList<Integer>();
    for (int number = first; number >= 0; number = take()) {
      numbers.add(number);
      if (numbers.size() == atMost) {
        break;
      }
    }
    return numbers;
  }

  /// Answers come in the order of the events.
  private void answered(Receipt receipt, Queue<Integer> unanswered) {
    Integer number = unanswered.poll();
    if (number == null) {
      return;
    }
    if (receipt.stored()) {
      acknowledged.add(number);
    } else {
      surprises.add("event " + number + " was refused: " + receipt);
    }
  }

  private void failed(MemoryException e) {
    if (!stopping) {
      surprises.add("a call failed while the daemon should have been running: " + e.getMessage());
    }
  }
}
