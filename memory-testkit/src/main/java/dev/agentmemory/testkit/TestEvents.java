package dev.agentmemory.testkit;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Small events. The same arguments always give the same event. All have position 1, so that a
/// store returns them unchanged; within a millisecond they are ordered by their ids.
public final class TestEvents {

  /// A Friday afternoon in UTC, when most tests begin.
  public static final Instant START = Instant.parse("2026-01-30T14:30:00Z");

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private TestEvents() {}

  /// An id that contains a time.
  ///
  /// @param tail distinguishes ids of one millisecond, 0 and up
  public static EventId id(Instant time, long tail) {
    char[] text = new char[EventId.LENGTH];
    long rest = tail;
    for (int i = EventId.LENGTH - 1; i >= 10; i--) {
      text[i] = ALPHABET.charAt((int) (rest & 31));
      rest >>>= 5;
    }
    rest = time.toEpochMilli();
    for (int i = 9; i >= 0; i--) {
      text[i] = ALPHABET.charAt((int) (rest & 31));
      rest >>>= 5;
    }
    return new EventId(new String(text));
  }

  /// A user's message whose id contains its time.
  public static Event message(String session, Instant at, String text) {
    return event(session, at, EventType.USER_MESSAGE, EventRole.USER, text);
  }

  /// An assistant's message whose id contains its time.
  public static Event answer(String session, Instant at, String text) {
    return event(session, at, EventType.ASSISTANT_MESSAGE, EventRole.ASSISTANT, text);
  }

  /// The end of a session.
  public static Event end(String session, Instant at) {
    return event(session, at, EventType.SESSION_END, EventRole.SYSTEM, "");
  }

  /// Any event whose id contains its time.
  public static Event event(
      String session, Instant at, EventType type, EventRole role, String text) {
    long tail = Integer.toUnsignedLong((session + '\0' + type + '\0' + text).hashCode());
    return new Event(
        id(at, tail), new SessionId(session), at, type, role, text, Map.of(), Optional.empty(), 1);
  }

  /// Messages of one session, one a minute from [#START] on: "message 0", "message 1", ...
  public static List<Event> messages(String session, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> message(session, START.plusSeconds(60L * i), "message " + i))
        .toList();
  }

  /// The same event with another id.
  public static Event withId(Event event, EventId id) {
    return new Event(
        id,
        event.session(),
        event.timestamp(),
        event.type(),
        event.role(),
        event.text(),
        event.metadata(),
        event.agent(),
        event.position());
  }

  /// The same event, with the same id, and another text.
  public static Event withText(Event event, String text) {
    return new Event(
        event.id(),
        event.session(),
        event.timestamp(),
        event.type(),
        event.role(),
        text,
        event.metadata(),
        event.agent(),
        event.position());
  }

  /// The same event from an agent, with metadata.
  public static Event from(Event event, String agent, Map<String, String> metadata) {
    return new Event(
        event.id(),
        event.session(),
        event.timestamp(),
        event.type(),
        event.role(),
        event.text(),
        metadata,
        Optional.of(agent),
        event.position());
  }
}
