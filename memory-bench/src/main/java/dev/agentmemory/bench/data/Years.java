package dev.agentmemory.bench.data;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Generated events of three years: evenly distributed sessions of 40 events, 20 seconds apart. The
/// same numbers always give the same events.
public final class Years {

  static final int IN_SESSION = 40;

  /// The first moment after the three years.
  static final Instant END = Instant.parse("2026-01-05T00:00:00Z");

  /// A Monday.
  private static final Instant FIRST_WEEK = Instant.parse("2024-01-01T00:00:00Z");

  private static final Duration SPAN = Duration.ofDays(3 * 365);
  private static final int SECONDS_BETWEEN = 20;
  private static final int SHORTEST = 80;
  private static final int LONGEST = 240;
  private static final int BLOCK = 20_000;

  private Years() {}

  /// Sends this number of events of the three years, oldest first, and waits for the table of
  /// contents.
  public static void fill(BenchDaemon daemon, int events) {
    int sessions = events / IN_SESSION;
    Duration apart = SPAN.dividedBy(sessions);
    var block = new ArrayList<Event>(BLOCK + IN_SESSION);
    for (int session = 0; session < sessions; session++) {
      Instant start = END.minus(SPAN).plus(apart.multipliedBy(session));
      block.addAll(session("year-%08d".formatted(session), start));
      if (block.size() >= BLOCK || session == sessions - 1) {
        Sending.stream(daemon.client(), block);
        block.clear();
      }
    }
    daemon.awaitToc();
  }

  /// This number of events of the days after the three years: one batch per day, in consecutive
  /// sessions.
  public static List<Event> batch(int number, int events) {
    var batch = new ArrayList<Event>(events);
    Instant day = END.plus(Duration.ofDays(number)).plus(Duration.ofHours(8));
    for (int session = 0; batch.size() < events; session++) {
      Instant start = day.plusSeconds((long) session * IN_SESSION * SECONDS_BETWEEN);
      batch.addAll(session("batch-%04d-%04d".formatted(number, session), start));
    }
    return batch;
  }

  /// The events of a week: one session per day from Monday to Friday, counted from 2024.
  public static List<Event> week(int number) {
    var events = new ArrayList<Event>();
    for (int day = 0; day < 5; day++) {
      Instant start = FIRST_WEEK.plus(Duration.ofDays(7L * number + day)).plus(Duration.ofHours(9));
      events.addAll(session("week-%03d-%d".formatted(number, day), start));
    }
    return events;
  }

  /// Waits until every event is in the table of contents and all rollups are done.
  public static double ingest(BenchDaemon daemon, List<Event> events) {
    Clock clock = Clock.start();
    MemoryClient client = daemon.client();
    Sending.stream(client, events);
    daemon.awaitToc();
    return clock.seconds();
  }

  private static List<Event> session(String name, Instant start) {
    var random = new SplittableRandom(name.hashCode());
    var session = new SessionId(name);
    var events = new ArrayList<Event>(IN_SESSION);
    for (int i = 0; i < IN_SESSION; i++) {
      Instant time = start.plusSeconds((long) i * SECONDS_BETWEEN);
      boolean asks = i % 2 == 0;
      EventType type = asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
      EventRole role = asks ? EventRole.USER : EventRole.ASSISTANT;
      String text = GeneratedProse.text(random.nextInt(SHORTEST, LONGEST), random);
      events.add(PlainEvents.of(session, time, type, role, text));
    }
    return events;
  }
}
