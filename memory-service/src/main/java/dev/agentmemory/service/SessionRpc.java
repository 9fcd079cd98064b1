package dev.agentmemory.service;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SegmentPage;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.transcript.SessionListing;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.proto.FindSegmentsRequest;
import dev.agentmemory.proto.FindSegmentsResponse;
import dev.agentmemory.proto.GetSegmentRequest;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.GetSessionRequest;
import dev.agentmemory.proto.GetSessionResponse;
import dev.agentmemory.proto.ListSegmentsRequest;
import dev.agentmemory.proto.ListSegmentsResponse;
import dev.agentmemory.proto.ListSessionEventsRequest;
import dev.agentmemory.proto.ListSessionEventsResponse;
import dev.agentmemory.proto.ListSessionsRequest;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.Segment;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.SessionMessages;
import dev.agentmemory.wire.view.TranscriptMessages;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;

/// Sessions and segments: each call maps the request, calls the API and maps the response.
final class SessionRpc extends SessionServiceGrpc.SessionServiceImplBase {

  private final CallPool reads;

  SessionRpc(CallPool reads) {
    this.reads = reads;
  }

  @Override
  public void listSessions(
      ListSessionsRequest request, StreamObserver<ListSessionsResponse> observer) {
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    SessionListing listing = TranscriptMessages.listing(request);
    reads.answer(
        observer,
        memory ->
            Limits.paged(
                page, next -> list(memory.sessions(), listing, next), SessionRpc::sessions));
  }

  private static Page<Session> list(Sessions sessions, SessionListing listing, PageRequest page) {
    return switch (listing) {
      case SessionListing.ById() -> sessions.list(page);
      case SessionListing.Latest() -> sessions.latest(page);
      case SessionListing.StartedBy(SessionId parent) -> sessions.startedBy(parent, page);
    };
  }

  @Override
  public void listSessionEvents(
      ListSessionEventsRequest request, StreamObserver<ListSessionEventsResponse> observer) {
    TranscriptRequest asked = TranscriptMessages.fromWire(request);
    reads.answer(
        observer, memory -> TranscriptMessages.toWire(memory.sessions().transcript(asked)));
  }

  private static ListSessionsResponse sessions(Page<Session> page) {
    var answer =
        ListSessionsResponse.newBuilder()
            .addAllSessions(page.items().stream().map(SessionMessages::toWire).toList());
    page.next().ifPresent(answer::setContinuationToken);
    return answer.build();
  }

  @Override
  public void getSession(GetSessionRequest request, StreamObserver<GetSessionResponse> observer) {
    SessionId id = SessionId.parseStored("session_id", request.getSessionId());
    reads.answer(
        observer,
        memory ->
            GetSessionResponse.newBuilder()
                .setSession(SessionMessages.toWire(memory.sessions().session(id)))
                .build());
  }

  @Override
  public void listSegments(
      ListSegmentsRequest request, StreamObserver<ListSegmentsResponse> observer) {
    SessionId session = SessionId.parseStored("session_id", request.getSessionId());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    reads.answer(
        observer,
        memory ->
            Limits.paged(
                page, next -> memory.sessions().segments(session, next), SessionRpc::listed));
  }

  @Override
  public void findSegments(
      FindSegmentsRequest request, StreamObserver<FindSegmentsResponse> observer) {
    Instant from = Instant.ofEpochMilli(request.getFromMs());
    Instant to = Instant.ofEpochMilli(request.getToMs());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    reads.answer(
        observer,
        memory ->
            Limits.paged(
                page, next -> memory.sessions().segments(from, to, next), SessionRpc::found));
  }

  private static ListSegmentsResponse listed(Page<SegmentOutline> page) {
    var answer = ListSegmentsResponse.newBuilder().addAllSegments(segments(page));
    page.next().ifPresent(answer::setContinuationToken);
    return answer.build();
  }

  private static FindSegmentsResponse found(Page<SegmentOutline> page) {
    var answer = FindSegmentsResponse.newBuilder().addAllSegments(segments(page));
    page.next().ifPresent(answer::setContinuationToken);
    return answer.build();
  }

  private static List<Segment> segments(Page<SegmentOutline> page) {
    return page.items().stream().map(SessionMessages::toWire).toList();
  }

  @Override
  public void getSegment(GetSegmentRequest request, StreamObserver<GetSegmentResponse> observer) {
    String text = Limits.required("segment_id", request.getSegmentId());
    SegmentId id = SegmentId.parse("segment_id", text);
    PageRequest page = Limits.page(request.getContinuationToken(), 0);
    reads.answer(
        observer,
        memory -> {
          SegmentPage part = memory.sessions().segment(id, page);
          var answer =
              GetSegmentResponse.newBuilder()
                  .setSegment(SessionMessages.toWire(part.outline()))
                  .addAllOverlapEvents(EventMessages.toWire(part.overlap()))
                  .addAllEvents(EventMessages.toWire(part.events()));
          if (!part.token().isEmpty()) {
            answer.setContinuationToken(part.token());
          }
          return answer.build();
        });
  }
}
