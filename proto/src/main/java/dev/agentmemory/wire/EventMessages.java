package dev.agentmemory.wire;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Maps events.
public final class EventMessages {

  private EventMessages() {}

  public static dev.agentmemory.proto.Event toWire(Event event) {
    var message =
        dev.agentmemory.proto.Event.newBuilder()
            .setEventId(event.id().value())
            .setSessionId(event.session().value())
            .setTimestampMs(event.timestamp().toEpochMilli())
            .setEventType(WireEnums.TYPE.toWire(event.type()))
            .setRole(WireEnums.ROLE.toWire(event.role()))
            .setText(event.text())
            .putAllMetadata(event.metadata());
    event.agent().ifPresent(message::setAgent);
    if (event.position() > 0) {
      message.setPosition(event.position());
    }
    return message.build();
  }

  public static List<dev.agentmemory.proto.Event> toWire(List<Event> events) {
    return events.stream().map(EventMessages::toWire).toList();
  }

  /// Reads an event of a request and checks ids, type, role and position. Time and text are checked
  /// by ingest. An unspecified role is the user, an unspecified type a user message, and an empty
  /// agent is none.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `event.<field>`
  public static Event fromWire(dev.agentmemory.proto.Event message) {
    return event(
        EventId.parse("event.event_id", message.getEventId()),
        SessionId.parse("event.session_id", message.getSessionId()),
        message);
  }

  private static Event event(EventId id, SessionId session, dev.agentmemory.proto.Event message) {
    return new Event(
        id,
        session,
        Instant.ofEpochMilli(message.getTimestampMs()),
        WireEnums.TYPE
            .fromWire("event.event_type", message.getEventType())
            .orElse(EventType.USER_MESSAGE),
        WireEnums.ROLE.fromWire("event.role", message.getRole()).orElse(EventRole.USER),
        message.getText(),
        message.getMetadataMap(),
        Optional.of(message.getAgent()).filter(agent -> !agent.isEmpty()),
        message.hasPosition() ? position("event.position", message.getPosition()) : 0);
  }

  /// Reads a position.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the field
  static long position(String field, long position) {
    if (position < 1 || position > EventKey.LAST_POSITION) {
      throw MemoryException.invalid(
          field,
          "is %d; expected 1 to %d, or no position where the source gives none"
              .formatted(position, EventKey.LAST_POSITION));
    }
    return position;
  }

  /// Reads events of a response. Their ids may contain workspaces.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `event.<field>`
  public static List<Event> fromWire(List<dev.agentmemory.proto.Event> messages) {
    return messages.stream().map(EventMessages::stored).toList();
  }

  private static Event stored(dev.agentmemory.proto.Event message) {
    return event(
        EventId.parseStored("event.event_id", message.getEventId()),
        SessionId.parseStored("event.session_id", message.getSessionId()),
        message);
  }
}
