package dev.agentmemory.bench.console;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.SplittableRandom;

/// Turns of sessions that run at the same time, said now.
final class LiveEvents {

  private static final int AT_ONCE = 5;
  private static final int IN_SESSION = 400;
  private static final int SHORTEST = 80;
  private static final int LONGEST = 400;

  private LiveEvents() {}

  /// @param number 0 and up
  static Event event(int number) {
    var random = new SplittableRandom(number);
    int turn = number / AT_ONCE;
    boolean asks = turn % 2 == 0;
    return PlainEvents.of(
        new SessionId("live-%d-%04d".formatted(number % AT_ONCE, turn / IN_SESSION)),
        Instant.ofEpochMilli(System.currentTimeMillis()),
        asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE,
        asks ? EventRole.USER : EventRole.ASSISTANT,
        GeneratedProse.text(random.nextInt(SHORTEST, LONGEST), random));
  }
}
