package dev.agentmemory.service;

import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Values to test with.
final class Samples {

  static final long START = 1_769_000_000_000L;

  private Samples() {}

  static EventId id(int number) {
    return new EventId("01ARZ3NDEKTSV4RRFF%08d".formatted(number));
  }

  static Event event(int number) {
    return event(number, START + number, "text " + number);
  }

  static Event event(int number, long millis, String text) {
    return new Event(
        id(number),
        new SessionId("s" + number % 3),
        Instant.ofEpochMilli(millis),
        EventType.USER_MESSAGE,
        EventRole.USER,
        text,
        Map.of("k", "v"),
        Optional.of("claude"));
  }

  static List<Event> events(int count) {
    return IntStream.range(0, count).mapToObj(Samples::event).toList();
  }

  static GripId grip(int number) {
    return GripId.of(Instant.ofEpochMilli(START), id(number));
  }

  static TocNode year(int year) {
    return node(NodeId.year(year), Instant.parse(year + "-01-01T00:00:00Z"), "Year");
  }

  static TocNode node(NodeId id, Instant start, String text) {
    return new TocNode(
        id,
        id + " title",
        Optional.empty(),
        List.of(new Bullet(text, List.of(grip(1)), 0.5)),
        List.of("keyword"),
        List.of(),
        new Span(start, start.plusMillis(999)),
        new Edition(1, start, false, "extractive"));
  }
}
