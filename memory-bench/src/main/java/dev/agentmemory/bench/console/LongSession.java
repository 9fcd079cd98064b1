package dev.agentmemory.bench.console;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// A session of many turns: a question, results of tools and an answer again and again.
final class LongSession {

  static final SessionId ID = new SessionId("long-session");

  private static final Instant START = Instant.parse("2026-01-12T08:00:00Z");
  private static final int SECONDS_BETWEEN = 20;
  private static final int SHORTEST = 40;
  private static final int LONGEST = 900;
  private static final int QUESTION_OF = 6;

  private LongSession() {}

  static List<Event> turns(int count) {
    return IntStream.range(0, count).mapToObj(LongSession::turn).toList();
  }

  private static Event turn(int number) {
    var random = new SplittableRandom(number);
    int place = number % QUESTION_OF;
    boolean asks = place == 0;
    boolean tool = !asks && place % 2 == 0;
    return PlainEvents.of(
        ID,
        START.plusSeconds((long) number * SECONDS_BETWEEN),
        asks ? EventType.USER_MESSAGE : tool ? EventType.TOOL_RESULT : EventType.ASSISTANT_MESSAGE,
        asks ? EventRole.USER : tool ? EventRole.TOOL : EventRole.ASSISTANT,
        GeneratedProse.text(random.nextInt(SHORTEST, LONGEST), random));
  }
}
