package dev.agentmemory.client;

import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.JobResultStatus;
import dev.agentmemory.proto.JobStatusProto;
import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchMatch;
import dev.agentmemory.proto.SearchNodeResult;
import dev.agentmemory.proto.Segment;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.GripMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.WireEnums;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads the answers for which the client has values of its own.
final class Answers {

  private Answers() {}

  static ExpandedGrip grip(ExpandGripResponse message) {
    return new ExpandedGrip(
        GripMessages.fromWire(message.getGrip()),
        EventMessages.fromWire(message.getEventsBeforeList()),
        EventMessages.fromWire(message.getExcerptEventsList()),
        EventMessages.fromWire(message.getEventsAfterList()));
  }

  static FoundNodes found(SearchChildrenResponse message) {
    return new FoundNodes(
        message.getResultsList().stream().map(Answers::found).toList(), message.getHasMore());
  }

  static List<Match> matches(List<SearchMatch> messages) {
    return messages.stream().map(Answers::match).toList();
  }

  static SearchField field(Match.Field field) {
    return switch (field) {
      case TITLE -> SearchField.SEARCH_FIELD_TITLE;
      case SUMMARY -> SearchField.SEARCH_FIELD_SUMMARY;
      case BULLETS -> SearchField.SEARCH_FIELD_BULLETS;
      case KEYWORDS -> SearchField.SEARCH_FIELD_KEYWORDS;
    };
  }

  static SegmentOutline segment(Segment message) {
    return new SegmentOutline(
        SegmentId.parse("segment.segment_id", message.getSegmentId()),
        SessionId.parseStored("segment.session_id", message.getSessionId()),
        NodeMessages.nodeId("segment.node_id", message.getNodeId()),
        new Span(
            Instant.ofEpochMilli(message.getStartTimeMs()),
            Instant.ofEpochMilli(message.getEndTimeMs())),
        message.getTokenCount(),
        WireEnums.fromWire("segment.boundary", message.getBoundary()),
        ids(message.getEventIdsList()),
        ids(message.getOverlapEventIdsList()));
  }

  /// @param pages at least one; the last one tells what the segment is
  static SegmentView segment(List<GetSegmentResponse> pages) {
    return new SegmentView(
        segment(pages.getLast().getSegment()),
        pages.stream()
            .flatMap(page -> EventMessages.fromWire(page.getEventsList()).stream())
            .toList(),
        pages.stream()
            .flatMap(page -> EventMessages.fromWire(page.getOverlapEventsList()).stream())
            .toList());
  }

  static JobView job(JobStatusProto message) {
    return new JobView(
        message.getJobName(),
        message.getCronExpr(),
        time(message.getLastRunMs()),
        Duration.ofMillis(message.getLastDurationMs()),
        outcome(message.getLastResult()),
        message.hasLastError() ? Optional.of(message.getLastError()) : Optional.empty(),
        time(message.getNextRunMs()),
        message.getRunCount(),
        message.getErrorCount(),
        message.getSkipCount(),
        message.getIsRunning(),
        message.getIsPaused(),
        message.getPausedItself(),
        message.getLastRunMetadataMap());
  }

  static StreamAck ack(IngestAck message) {
    return new StreamAck(
        message.getPosition(),
        outcome(message.getOutcome()),
        text(message.getError()),
        text(message.getField()));
  }

  /// @return empty for an empty text
  static Optional<String> text(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  private static FoundNode found(SearchNodeResult message) {
    return new FoundNode(
        NodeMessages.nodeId("results.node_id", message.getNodeId()),
        message.getTitle(),
        matches(message.getMatchesList()),
        message.getRelevanceScore());
  }

  private static Match match(SearchMatch message) {
    return new Match(
        switch (message.getField()) {
          case SEARCH_FIELD_TITLE -> Match.Field.TITLE;
          case SEARCH_FIELD_SUMMARY -> Match.Field.SUMMARY;
          case SEARCH_FIELD_BULLETS -> Match.Field.BULLETS;
          case SEARCH_FIELD_KEYWORDS -> Match.Field.KEYWORDS;
          case SEARCH_FIELD_UNSPECIFIED, UNRECOGNIZED -> throw unknown("matches.field");
        },
        message.getText(),
        GripMessages.fromWire("matches.grip_ids", message.getGripIdsList()),
        message.getScore());
  }

  private static JobView.Outcome outcome(JobResultStatus result) {
    return switch (result) {
      case JOB_RESULT_STATUS_UNSPECIFIED -> JobView.Outcome.NONE;
      case JOB_RESULT_STATUS_SUCCESS -> JobView.Outcome.SUCCESS;
      case JOB_RESULT_STATUS_FAILED -> JobView.Outcome.FAILED;
      case JOB_RESULT_STATUS_SKIPPED -> JobView.Outcome.SKIPPED;
      case UNRECOGNIZED -> throw unknown("last_result");
    };
  }

  private static StreamAck.Outcome outcome(IngestAck.Outcome outcome) {
    return switch (outcome) {
      case OUTCOME_CREATED -> StreamAck.Outcome.CREATED;
      case OUTCOME_ALREADY_KNOWN -> StreamAck.Outcome.ALREADY_KNOWN;
      case OUTCOME_CONFLICT -> StreamAck.Outcome.CONFLICT;
      case OUTCOME_INVALID -> StreamAck.Outcome.INVALID;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw unknown("acks.outcome");
    };
  }

  private static MemoryException unknown(String field) {
    return MemoryException.invalid(field, "is unknown to this client; is the daemon newer?");
  }

  private static List<EventId> ids(List<String> ids) {
    return ids.stream().map(id -> EventId.parseStored("event_ids", id)).toList();
  }

  private static Optional<Instant> time(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
