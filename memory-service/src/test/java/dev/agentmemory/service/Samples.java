package dev.agentmemory.service;

import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
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
            Optional.of("claude"))
        // With a position of its own it comes back as it was sent.
        .withPosition(number + 1L);
  }

  /// An event that is later than the daemon's clock allows.
  static Event tooFarAhead(int number) {
    Instant limit = Fixture.NOW.plus(IngestLimits.DEFAULT.maxClockSkew());
    return event(number, limit.toEpochMilli() + 1, "text");
  }

  /// Events of one session.
  static List<Event> session(int count, String text) {
    return IntStream.range(0, count).mapToObj(i -> event(3 * i, START + 3L * i, text)).toList();
  }

  static List<Event> events(int count) {
    return IntStream.range(0, count).mapToObj(Samples::event).toList();
  }

  static GripId grip(int number) {
    return GripId.of(Instant.ofEpochMilli(START), id(number));
  }

  static Grip gripOn(Event event) {
    return new Grip(
        grip(1),
        event.text(),
        event.id(),
        event.id(),
        event.timestamp(),
        "segment_summarizer",
        NodeId.year(2026));
  }

  static TocNode year(int year) {
    Instant start = LocalDate.of(year, 1, 1).atStartOfDay(ZoneOffset.UTC).toInstant();
    return node(NodeId.year(year), start, "Retry with jitter");
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
