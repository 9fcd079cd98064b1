package dev.agentmemory.bench.data;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Generated events of about 500 bytes each, in time order, one session after the other. The same
/// number always gives the same event.
public final class WorkDay {

  /// Size of an event without its text: id, session, time, type and role on the wire.
  private static final int FRAME_BYTES = 70;

  public static final int EVENT_BYTES = 500;
  private static final int EVENTS_IN_SESSION = 200;
  private static final int MILLIS_BETWEEN = 2_000;
  private static final Instant START = Instant.parse("2025-01-06T08:00:00Z");

  private WorkDay() {}

  public static List<Event> events(int from, int count) {
    var events = new ArrayList<Event>(count);
    for (int i = from; i < from + count; i++) {
      events.add(event(i));
    }
    return events;
  }

  /// The number of an event that was created by [#event].
  public static int number(Event event) {
    return (int) (Duration.between(START, event.timestamp()).toMillis() / MILLIS_BETWEEN);
  }

  public static Event event(int number) {
    var random = new SplittableRandom(number);
    var session = new SessionId("workday-%08d".formatted(number / EVENTS_IN_SESSION));
    Instant time = START.plusMillis((long) number * MILLIS_BETWEEN);
    boolean asks = number % 2 == 0;
    EventType type = asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE;
    EventRole role = asks ? EventRole.USER : EventRole.ASSISTANT;
    String text = GeneratedProse.text(EVENT_BYTES - FRAME_BYTES, random);
    return PlainEvents.of(session, time, type, role, text);
  }
}
