package dev.agentmemory.wire;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Events on the wire.
public final class EventMessages {

  /// Longest text of an event, in bytes of UTF-8.
  public static final int MAX_TEXT_BYTES = 1 << 20;

  /// A UTF-16 unit takes at most three bytes of UTF-8, so shorter texts need not be measured.
  private static final int SURELY_SHORT = MAX_TEXT_BYTES / 3;

  private EventMessages() {}

  public static dev.agentmemory.proto.Event toWire(Event event) {
    var message =
        dev.agentmemory.proto.Event.newBuilder()
            .setEventId(event.id().value())
            .setSessionId(event.session().value())
            .setTimestampMs(event.timestamp().toEpochMilli())
            .setEventType(WireEnums.toWire(event.type()))
            .setRole(WireEnums.toWire(event.role()))
            .setText(event.text())
            .putAllMetadata(event.metadata());
    event.agent().ifPresent(message::setAgent);
    return message.build();
  }

  public static List<dev.agentmemory.proto.Event> toWire(List<Event> events) {
    return events.stream().map(EventMessages::toWire).toList();
  }

  /// Reads an event and checks its shape: ids, time and text. An unspecified role is the user, an
  /// unspecified type a user message; an empty agent is none.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `event.<field>`
  public static Event fromWire(dev.agentmemory.proto.Event message) {
    EventId id = EventId.parse("event.event_id", message.getEventId());
    SessionId session = SessionId.parse("event.session_id", message.getSessionId());
    if (message.getTimestampMs() < 0) {
      throw MemoryException.invalid(
          "event.timestamp_ms",
          "is negative; send milliseconds since 1970-01-01T00:00Z, found "
              + message.getTimestampMs());
    }
    EventType type = WireEnums.fromWire("event.event_type", message.getEventType());
    checkText(type, message.getText());
    return new Event(
        id,
        session,
        Instant.ofEpochMilli(message.getTimestampMs()),
        type,
        WireEnums.fromWire("event.role", message.getRole()),
        message.getText(),
        message.getMetadataMap(),
        Optional.of(message.getAgent()).filter(agent -> !agent.isEmpty()));
  }

  public static List<Event> fromWire(List<dev.agentmemory.proto.Event> messages) {
    return messages.stream().map(EventMessages::fromWire).toList();
  }

  private static void checkText(EventType type, String text) {
    if (text.isEmpty() && type.needsText()) {
      throw MemoryException.invalid(
          "event.text", "is empty; user and assistant messages need text");
    }
    if (text.length() > SURELY_SHORT
        && text.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT_BYTES) {
      throw MemoryException.invalid(
          "event.text", "is longer than 1 MiB of UTF-8; keep its head and tail");
    }
  }
}
