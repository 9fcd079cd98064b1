package dev.agentmemory.wire;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;

/// Sessions and segments on the wire.
public final class SessionMessages {

  private SessionMessages() {}

  public static dev.agentmemory.proto.Session toWire(Session session) {
    var message =
        dev.agentmemory.proto.Session.newBuilder()
            .setSessionId(session.id().value())
            .setStartTimeMs(session.first().timestamp().toEpochMilli())
            .setFirstEventId(session.first().id().value())
            .setEndTimeMs(session.last().timestamp().toEpochMilli())
            .setLastEventId(session.last().id().value())
            .setEventCount(session.events())
            .setEnded(session.ended());
    session.agent().ifPresent(message::setAgent);
    if (session.first().position() > 0) {
      message.setFirstPosition(session.first().position());
    }
    if (session.last().position() > 0) {
      message.setLastPosition(session.last().position());
    }
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `session.<field>`
  public static Session fromWire(dev.agentmemory.proto.Session message) {
    EventKey first =
        key(
            "session.first_event_id",
            message.getStartTimeMs(),
            message.hasFirstPosition()
                ? EventMessages.position("session.first_position", message.getFirstPosition())
                : 0,
            message.getFirstEventId());
    EventKey last =
        key(
            "session.last_event_id",
            message.getEndTimeMs(),
            message.hasLastPosition()
                ? EventMessages.position("session.last_position", message.getLastPosition())
                : 0,
            message.getLastEventId());
    if (last.compareTo(first) < 0) {
      throw MemoryException.invalid("session.end_time_ms", "is before start_time_ms");
    }
    if (message.getEventCount() < 1) {
      throw MemoryException.invalid("session.event_count", "is below 1");
    }
    return new Session(
        SessionId.parseStored("session.session_id", message.getSessionId()),
        first,
        last,
        message.getEventCount(),
        message.getEnded(),
        message.hasAgent() ? Optional.of(message.getAgent()) : Optional.empty());
  }

  /// A segment without the sizes of its single events. There is no way back: a reader gets ids, the
  /// store keeps keys and token counts.
  public static dev.agentmemory.proto.Segment toWire(Segment segment) {
    return dev.agentmemory.proto.Segment.newBuilder()
        .setSegmentId(segment.id().value())
        .setSessionId(segment.session().value())
        .setNodeId(segment.node().value())
        .setStartTimeMs(segment.start().toEpochMilli())
        .setEndTimeMs(segment.end().toEpochMilli())
        .setTokenCount(segment.tokens())
        .setBoundary(WireEnums.toWire(segment.boundary()))
        .addAllEventIds(
            segment.entries().stream().map(SegmentEntry::key).map(SessionMessages::id).toList())
        .addAllOverlapEventIds(segment.overlap().stream().map(SessionMessages::id).toList())
        .build();
  }

  private static String id(EventKey key) {
    return key.id().value();
  }

  private static EventKey key(String field, long millis, long position, String id) {
    if (millis < 0) {
      throw MemoryException.invalid(field, "has a time before 1970");
    }
    return new EventKey(Instant.ofEpochMilli(millis), position, EventId.parseStored(field, id));
  }
}
