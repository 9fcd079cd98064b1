package dev.agentmemory.wire.view;

import dev.agentmemory.api.transcript.SessionListing;
import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.api.transcript.TranscriptRequest.Start;
import dev.agentmemory.proto.ListSessionEventsRequest;
import dev.agentmemory.proto.ListSessionEventsResponse;
import dev.agentmemory.proto.ListSessionsRequest;
import dev.agentmemory.proto.SegmentMark;
import dev.agentmemory.proto.SessionOrder;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.WireEnums;
import java.util.Optional;

/// Maps lists of sessions, and parts of sessions.
public final class TranscriptMessages {

  private TranscriptMessages() {}

  public static ListSessionsRequest toWire(SessionListing listing) {
    var message = ListSessionsRequest.newBuilder();
    switch (listing) {
      case SessionListing.ById() -> {}
      case SessionListing.Latest() -> message.setOrder(SessionOrder.SESSION_ORDER_LATEST);
      case SessionListing.StartedBy(SessionId parent) -> message.setParentSessionId(parent.value());
    }
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static SessionListing listing(ListSessionsRequest message) {
    if (message.getOrder() == SessionOrder.UNRECOGNIZED) {
      throw MemoryException.invalid("order", "is not a known value of SessionOrder");
    }
    boolean latest = message.getOrder() == SessionOrder.SESSION_ORDER_LATEST;
    if (!message.hasParentSessionId()) {
      return latest ? new SessionListing.Latest() : new SessionListing.ById();
    }
    if (latest) {
      throw MemoryException.invalid(
          "order", "is SESSION_ORDER_LATEST; with parent_session_id expected SESSION_ORDER_ID");
    }
    return new SessionListing.StartedBy(
        SessionId.parseStored("parent_session_id", message.getParentSessionId()));
  }

  public static ListSessionEventsRequest toWire(TranscriptRequest request) {
    var message =
        ListSessionEventsRequest.newBuilder()
            .setSessionId(request.session().value())
            .setLimit(request.limit())
            .setBackward(request.backward());
    switch (request.start()) {
      case Start.AtBorder() -> {}
      case Start.AtEvent(EventId event) -> message.setFromEventId(event.value());
      case Start.AtIndex(long index) -> message.setFromIndex(index);
      case Start.Behind(String token) -> message.setContinuationToken(token);
    }
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static TranscriptRequest fromWire(ListSessionEventsRequest message) {
    Start start =
        TranscriptRequest.start(
            Optional.of(message.getContinuationToken()).filter(token -> !token.isEmpty()),
            message.hasFromEventId()
                ? Optional.of(EventId.parseStored("from_event_id", message.getFromEventId()))
                : Optional.empty(),
            message.hasFromIndex() ? Optional.of(message.getFromIndex()) : Optional.empty());
    return new TranscriptRequest(
        SessionId.parseStored("session_id", message.getSessionId()),
        start,
        message.getBackward(),
        Math.clamp(message.getLimit(), 0, TranscriptRequest.MOST));
  }

  public static ListSessionEventsResponse toWire(TranscriptPart part) {
    var message =
        ListSessionEventsResponse.newBuilder()
            .addAllEvents(EventMessages.toWire(part.events()))
            .setFirstIndex(part.firstIndex())
            .setEventCount(part.eventCount())
            .addAllSegments(part.segments().stream().map(TranscriptMessages::toWire).toList());
    part.previous().ifPresent(message::setPreviousToken);
    part.next().ifPresent(message::setNextToken);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static TranscriptPart fromWire(ListSessionEventsResponse message) {
    return new TranscriptPart(
        EventMessages.fromWire(message.getEventsList()),
        message.getFirstIndex(),
        message.getEventCount(),
        message.hasPreviousToken() ? Optional.of(message.getPreviousToken()) : Optional.empty(),
        message.hasNextToken() ? Optional.of(message.getNextToken()) : Optional.empty(),
        message.getSegmentsList().stream().map(TranscriptMessages::fromWire).toList());
  }

  private static SegmentMark toWire(TranscriptPart.SegmentMark mark) {
    var message =
        SegmentMark.newBuilder()
            .setSegmentId(mark.id().value())
            .setNodeId(mark.node().value())
            .setFirstEventId(mark.first().value())
            .setLastEventId(mark.last().value())
            .setBoundary(WireEnums.BOUNDARY.toWire(mark.boundary()))
            .setTokenCount(mark.tokens());
    mark.title().ifPresent(message::setTitle);
    return message.build();
  }

  private static TranscriptPart.SegmentMark fromWire(SegmentMark message) {
    return new TranscriptPart.SegmentMark(
        SegmentId.parse("segments.segment_id", message.getSegmentId()),
        NodeMessages.nodeId("segments.node_id", message.getNodeId()),
        message.hasTitle() ? Optional.of(message.getTitle()) : Optional.empty(),
        EventId.parseStored("segments.first_event_id", message.getFirstEventId()),
        EventId.parseStored("segments.last_event_id", message.getLastEventId()),
        WireEnums.BOUNDARY.required("segments.boundary", message.getBoundary()),
        message.getTokenCount());
  }
}
