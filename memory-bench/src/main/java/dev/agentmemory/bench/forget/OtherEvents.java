package dev.agentmemory.bench.forget;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.SplittableRandom;

/// Events that are sent while others are forgotten.
final class OtherEvents {

  private static final int IN_SESSION = 200;
  private static final int LENGTH = 200;

  /// In a year of their own, so that no node of other events rests on them.
  private static final Instant START = Instant.parse("2021-03-01T08:00:00Z");

  private OtherEvents() {}

  /// @param number 0 and up; one second after the event of the number before
  static Event event(int number) {
    boolean asks = number % 2 == 0;
    return PlainEvents.of(
        new SessionId("paced-%06d".formatted(number / IN_SESSION)),
        START.plusSeconds(number),
        asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE,
        asks ? EventRole.USER : EventRole.ASSISTANT,
        GeneratedProse.text(LENGTH, new SplittableRandom(number)));
  }
}
