package dev.agentmemory.wire;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Maps sessions and segments.
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

  public static dev.agentmemory.proto.Segment toWire(SegmentOutline segment) {
    return dev.agentmemory.proto.Segment.newBuilder()
        .setSegmentId(segment.id().value())
        .setSessionId(segment.session().value())
        .setNodeId(segment.node().value())
        .setStartTimeMs(segment.span().start().toEpochMilli())
        .setEndTimeMs(segment.span().end().toEpochMilli())
        .setTokenCount(segment.tokens())
        .setBoundary(WireEnums.BOUNDARY.toWire(segment.boundary()))
        .addAllEventIds(segment.events().stream().map(EventId::value).toList())
        .addAllOverlapEventIds(segment.overlap().stream().map(EventId::value).toList())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `segment.<field>`
  public static SegmentOutline fromWire(dev.agentmemory.proto.Segment message) {
    return new SegmentOutline(
        SegmentId.parse("segment.segment_id", message.getSegmentId()),
        SessionId.parseStored("segment.session_id", message.getSessionId()),
        NodeMessages.nodeId("segment.node_id", message.getNodeId()),
        new Span(
            Instant.ofEpochMilli(message.getStartTimeMs()),
            Instant.ofEpochMilli(message.getEndTimeMs())),
        message.getTokenCount(),
        WireEnums.BOUNDARY.required("segment.boundary", message.getBoundary()),
        ids(message.getEventIdsList()),
        ids(message.getOverlapEventIdsList()));
  }

  private static List<EventId> ids(List<String> ids) {
    return ids.stream().map(id -> EventId.parseStored("event_ids", id)).toList();
  }

  private static EventKey key(String field, long millis, long position, String id) {
    if (millis < 0) {
      throw MemoryException.invalid(field, "has a time before 1970");
    }
    return new EventKey(Instant.ofEpochMilli(millis), position, EventId.parseStored(field, id));
  }
}
