package dev.agentmemory.bench.forget;

import dev.agentmemory.bench.data.GeneratedProse;
import dev.agentmemory.bench.data.PlainEvents;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// Events that are forgotten. Each says a word that no other event says.
///
/// @param word its own stem, so that the search index has it as it is
/// @param whole whether the session has no other events
record MarkedEvents(String word, SessionId session, List<Event> events, boolean whole) {

  private static final int SHORTEST = 80;
  private static final int LONGEST = 240;
  private static final int SECONDS_BETWEEN = 20;

  MarkedEvents {
    events = List.copyOf(events);
  }

  /// One event of a session of [Talk].
  static MarkedEvents one(String word, int session) {
    Event event = Talk.session(session).get(Talk.IN_SESSION / 2);
    return new MarkedEvents(
        word,
        event.session(),
        List.of(
            PlainEvents.of(
                event.session(),
                event.timestamp().plusSeconds(1),
                EventType.USER_MESSAGE,
                EventRole.USER,
                said(word) + event.text())),
        /* whole= */ false);
  }

  /// A session of its own.
  static MarkedEvents session(String word, SessionId session, Instant start, int count) {
    var random = new SplittableRandom(word.hashCode());
    var events = new ArrayList<Event>(count);
    for (int i = 0; i < count; i++) {
      boolean asks = i % 2 == 0;
      events.add(
          PlainEvents.of(
              session,
              start.plusSeconds((long) i * SECONDS_BETWEEN),
              asks ? EventType.USER_MESSAGE : EventType.ASSISTANT_MESSAGE,
              asks ? EventRole.USER : EventRole.ASSISTANT,
              said(word) + GeneratedProse.text(random.nextInt(SHORTEST, LONGEST), random)));
    }
    return new MarkedEvents(word, session, events, /* whole= */ true);
  }

  /// What summaries and memories are made of.
  private static String said(String word) {
    return "We decided that the " + word + " gateway replaces the old proxy. ";
  }

  Set<EventId> ids() {
    return events.stream().map(Event::id).collect(Collectors.toSet());
  }

  /// Whether an answer has the word.
  boolean isIn(Object answer) {
    return answer.toString().contains(word);
  }
}
