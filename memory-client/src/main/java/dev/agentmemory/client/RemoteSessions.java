package dev.agentmemory.client;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SegmentPage;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.transcript.SessionListing;
import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.proto.FindSegmentsRequest;
import dev.agentmemory.proto.FindSegmentsResponse;
import dev.agentmemory.proto.GetSegmentRequest;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.GetSessionRequest;
import dev.agentmemory.proto.ListSegmentsRequest;
import dev.agentmemory.proto.ListSegmentsResponse;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.Segment;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.SessionMessages;
import dev.agentmemory.wire.view.TranscriptMessages;
import java.time.Instant;
import java.util.List;

/// The sessions of a daemon.
record RemoteSessions(Calls calls) implements Sessions {

  @Override
  public Page<Session> list(PageRequest page) {
    return list(new SessionListing.ById(), page);
  }

  @Override
  public Page<Session> latest(PageRequest page) {
    return list(new SessionListing.Latest(), page);
  }

  @Override
  public Page<Session> startedBy(SessionId parent, PageRequest page) {
    return list(new SessionListing.StartedBy(parent), page);
  }

  private Page<Session> list(SessionListing listing, PageRequest page) {
    ListSessionsResponse answer =
        calls.call(
            SessionServiceGrpc.getListSessionsMethod(),
            TranscriptMessages.toWire(listing).toBuilder()
                .setLimit(page.limit())
                .setContinuationToken(page.token())
                .build());
    return new Page<>(
        answer.getSessionsList().stream().map(SessionMessages::fromWire).toList(),
        answer.getContinuationToken());
  }

  @Override
  public TranscriptPart transcript(TranscriptRequest request) {
    return TranscriptMessages.fromWire(
        calls.call(
            SessionServiceGrpc.getListSessionEventsMethod(), TranscriptMessages.toWire(request)));
  }

  @Override
  public Session session(SessionId id) {
    return SessionMessages.fromWire(
        calls
            .call(
                SessionServiceGrpc.getGetSessionMethod(),
                GetSessionRequest.newBuilder().setSessionId(id.value()).build())
            .getSession());
  }

  @Override
  public Page<SegmentOutline> segments(SessionId session, PageRequest page) {
    ListSegmentsResponse answer =
        calls.call(
            SessionServiceGrpc.getListSegmentsMethod(),
            ListSegmentsRequest.newBuilder()
                .setSessionId(session.value())
                .setLimit(page.limit())
                .setContinuationToken(page.token())
                .build());
    return page(answer.getSegmentsList(), answer.getContinuationToken());
  }

  @Override
  public Page<SegmentOutline> segments(Instant from, Instant to, PageRequest page) {
    FindSegmentsResponse answer =
        calls.call(
            SessionServiceGrpc.getFindSegmentsMethod(),
            FindSegmentsRequest.newBuilder()
                .setFromMs(EventKey.nearest(from).toEpochMilli())
                .setToMs(EventKey.nearest(to).toEpochMilli())
                .setLimit(page.limit())
                .setContinuationToken(page.token())
                .build());
    return page(answer.getSegmentsList(), answer.getContinuationToken());
  }

  private static Page<SegmentOutline> page(List<Segment> segments, String token) {
    return new Page<>(segments.stream().map(SessionMessages::fromWire).toList(), token);
  }

  @Override
  public SegmentPage segment(SegmentId id, PageRequest page) {
    GetSegmentResponse answer =
        calls.call(
            SessionServiceGrpc.getGetSegmentMethod(),
            GetSegmentRequest.newBuilder()
                .setSegmentId(id.value())
                .setContinuationToken(page.token())
                .build());
    return new SegmentPage(
        SessionMessages.fromWire(answer.getSegment()),
        EventMessages.fromWire(answer.getOverlapEventsList()),
        EventMessages.fromWire(answer.getEventsList()),
        answer.getContinuationToken());
  }
}
