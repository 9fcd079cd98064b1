package dev.agentmemory.bench.crash;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.client.EventIds;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// An endless sequence of events for the crash test: several concurrent sessions, tool results,
/// ends of sessions, ids with another time than the event's, and late events. The same seed and
/// number always give the same event.
public final class CrashEvents {

  private static final int SESSIONS_AT_ONCE = 6;
  private static final int EVENTS_IN_SESSION = 90;
  private static final int SECONDS_BETWEEN = 25;
  private static final int LATE_PERCENT = 3;
  private static final int OTHER_ID_PERCENT = 5;

  /// A few days before the end of a year, so that the sequence crosses it.
  private static final Instant START = Instant.parse("2024-12-20T22:00:00Z");

  private final long seed;

  public CrashEvents(long seed) {
    this.seed = seed;
  }

  public Event event(int number) {
    var random = new SplittableRandom(seed * 1_000_003 + number);
    int lane = number % SESSIONS_AT_ONCE;
    int turn = number / SESSIONS_AT_ONCE;
    var session = new SessionId("crash-%d-%05d".formatted(lane, turn / EVENTS_IN_SESSION));
    Instant time =
        START.plusSeconds((long) number * SECONDS_BETWEEN).plusMillis(random.nextInt(1000));
    boolean ends = turn % EVENTS_IN_SESSION == EVENTS_IN_SESSION - 1;
    if (!ends && random.nextInt(100) < LATE_PERCENT) {
      time = time.minus(Duration.ofMinutes(random.nextInt(1, 240)));
    }
    EventType type = ends ? EventType.SESSION_END : type(random);
    String text = ends ? "" : text(type, random);
    boolean otherId = random.nextInt(100) < OTHER_ID_PERCENT;
    Instant idTime = otherId ? time.plusSeconds(1 + random.nextInt(3600)) : time;
    EventRole role = role(type);
    return new Event(
        EventIds.derive(session, idTime, type, role, text, Map.of(), Optional.empty()),
        session,
        time,
        type,
        role,
        text,
        Map.of(),
        Optional.empty(),
        number + 1L);
  }

  private static EventType type(SplittableRandom random) {
    int kind = random.nextInt(10);
    return kind < 4
        ? EventType.USER_MESSAGE
        : kind < 8 ? EventType.ASSISTANT_MESSAGE : EventType.TOOL_RESULT;
  }

  private static EventRole role(EventType type) {
    return switch (type) {
      case USER_MESSAGE -> EventRole.USER;
      case ASSISTANT_MESSAGE, ASSISTANT_STOP -> EventRole.ASSISTANT;
      case TOOL_RESULT -> EventRole.TOOL;
      case SESSION_START, SUBAGENT_START, SUBAGENT_STOP, SESSION_END -> EventRole.SYSTEM;
    };
  }

  private static String text(EventType type, SplittableRandom random) {
    return type == EventType.TOOL_RESULT
        ? GeneratedProse.text(random.nextInt(50, 3000), random)
        : GeneratedProse.text(random.nextInt(80, 500), random);
  }
}
