package dev.agentmemory.bench.abuse;

import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// Three clients, each with a connection of its own, that make calls at fixed times: they search,
/// read the table of contents, and store events one by one. The duration of a call counts from its
/// planned time. The client makes a call again that was refused with a delay, which counts, too.
final class OtherClients implements AutoCloseable {

  /// What a client does.
  enum Kind {
    SEARCH(10),
    TOC(20),
    INGEST(20);

    final int perSecond;

    Kind(int perSecond) {
      this.perSecond = perSecond;
    }
  }

  private static final int TOPICS = 50;
  private static final int HITS = 10;

  private final AnsweredCalls made = new AnsweredCalls();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();
  private final Map<Kind, MemoryClient> clients = new EnumMap<>(Kind.class);
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  OtherClients(BenchDaemon daemon) {
    for (Kind kind : Kind.values()) {
      MemoryClient client = daemon.another();
      clients.put(kind, client);
      Thread thread = Thread.ofPlatform().daemon().unstarted(() -> call(kind, client));
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void call(Kind kind, MemoryClient client) {
    long first = System.nanoTime();
    for (int number = 0; !over; number++) {
      long planned = first + TimeUnit.SECONDS.toNanos(number) / kind.perSecond;
      try {
        TimeUnit.NANOSECONDS.sleep(planned - System.nanoTime());
        make(kind, client, number);
        made.add(kind, planned, System.nanoTime());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!over) {
          errors.add(kind + ": " + e.getMessage());
        }
      }
    }
  }

  private static void make(Kind kind, MemoryClient client, int number) {
    switch (kind) {
      case SEARCH -> {
        String text = Talk.session(number % TOPICS).getFirst().text();
        var _ =
            client
                .search()
                .search(
                    SearchRequest.of(
                        text.substring(0, Math.min(40, text.length())), HITS, Instant.now()));
      }
      case TOC -> {
        var _ = client.contents().root();
      }
      case INGEST -> {
        var _ =
            client
                .ingest()
                .append(
                    PlainEvents.of(
                        new SessionId("other"),
                        Instant.ofEpochMilli(System.currentTimeMillis()),
                        EventType.USER_MESSAGE,
                        EventRole.USER,
                        "note " + number + " " + System.nanoTime()));
      }
    }
  }

  /// The calls that were answered until now.
  AnsweredCalls made() {
    return made;
  }

  /// What failed, and was not overcome by a retry.
  List<String> errors() {
    return List.copyOf(errors);
  }

  @Override
  public void close() {
    over = true;
    threads.forEach(Thread::interrupt);
    clients.values().forEach(MemoryClient::close);
  }
}
