package dev.agentmemory.service;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.proto.FindSegmentsRequest;
import dev.agentmemory.proto.FindSegmentsResponse;
import dev.agentmemory.proto.GetSegmentRequest;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.GetSessionRequest;
import dev.agentmemory.proto.GetSessionResponse;
import dev.agentmemory.proto.ListSegmentsRequest;
import dev.agentmemory.proto.ListSegmentsResponse;
import dev.agentmemory.proto.ListSessionsRequest;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.toc.SegmentFinder;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.PageTokens;
import dev.agentmemory.wire.SessionMessages;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Sessions and segments: map, call, map.
final class SessionRpc extends SessionServiceGrpc.SessionServiceImplBase {

  private static final int PAGE_DEFAULT = 20;
  private static final int PAGE_MOST = 1000;

  private final CallPool reads;

  SessionRpc(CallPool reads) {
    this.reads = reads;
  }

  @Override
  public void listSessions(
      ListSessionsRequest request, StreamObserver<ListSessionsResponse> observer) {
    reads.answer(observer, services -> sessionPage(services.sessions(), request));
  }

  private static ListSessionsResponse sessionPage(
      SessionReader sessions, ListSessionsRequest request) {
    Optional<SessionId> after = token(request.getContinuationToken()).map(PageTokens::session);
    int limit = Limits.limit(request.getLimit(), PAGE_DEFAULT, PAGE_MOST);
    List<Session> read = sessions.sessions(after, limit + 1);
    var page = Limits.page(read.stream().map(SessionMessages::toWire).toList(), limit);
    var response = ListSessionsResponse.newBuilder().addAllSessions(page.items());
    if (page.more()) {
      SessionId last = read.get(page.items().size() - 1).id();
      response.setContinuationToken(PageTokens.afterSession(last));
    }
    return response.build();
  }

  @Override
  public void getSession(GetSessionRequest request, StreamObserver<GetSessionResponse> observer) {
    SessionId id = SessionId.parseStored("session_id", request.getSessionId());
    reads.answer(
        observer,
        services -> {
          Session session =
              services.sessions().session(id).orElseThrow(() -> missing("session", id.value()));
          return GetSessionResponse.newBuilder()
              .setSession(SessionMessages.toWire(session))
              .build();
        });
  }

  @Override
  public void listSegments(
      ListSegmentsRequest request, StreamObserver<ListSegmentsResponse> observer) {
    SessionId session = SessionId.parseStored("session_id", request.getSessionId());
    reads.answer(observer, services -> segmentPage(services.segments(), session, request));
  }

  private static ListSegmentsResponse segmentPage(
      SegmentReader segments, SessionId session, ListSegmentsRequest request) {
    Optional<EventKey> after =
        token(request.getContinuationToken()).map(token -> PageTokens.segment(session, token));
    int limit = Limits.limit(request.getLimit(), PAGE_DEFAULT, PAGE_MOST);
    List<Segment> read = segments.segmentsAfter(session, after, limit + 1);
    var page =
        Limits.page(
            read.stream().map(SegmentOutline::of).map(SessionMessages::toWire).toList(), limit);
    var response = ListSegmentsResponse.newBuilder().addAllSegments(page.items());
    if (page.more()) {
      EventKey last = read.get(page.items().size() - 1).first();
      response.setContinuationToken(PageTokens.afterSegment(session, last));
    }
    return response.build();
  }

  @Override
  public void findSegments(
      FindSegmentsRequest request, StreamObserver<FindSegmentsResponse> observer) {
    reads.answer(observer, services -> foundPage(services.finder(), request));
  }

  private static FindSegmentsResponse foundPage(SegmentFinder finder, FindSegmentsRequest request) {
    Optional<NodeId> after = token(request.getContinuationToken()).map(PageTokens::foundSegment);
    int limit = Limits.limit(request.getLimit(), PAGE_DEFAULT, PAGE_MOST);
    Instant from = Limits.instant(request.getFromMs());
    Instant to = Limits.instant(request.getToMs());
    if (!from.isBefore(to)) {
      return FindSegmentsResponse.getDefaultInstance();
    }
    List<Segment> read = finder.find(from, to, after, limit + 1);
    var page =
        Limits.page(
            read.stream().map(SegmentOutline::of).map(SessionMessages::toWire).toList(), limit);
    var response = FindSegmentsResponse.newBuilder().addAllSegments(page.items());
    if (page.more()) {
      NodeId last = read.get(page.items().size() - 1).node();
      response.setContinuationToken(PageTokens.afterFoundSegment(last));
    }
    return response.build();
  }

  @Override
  public void getSegment(GetSegmentRequest request, StreamObserver<GetSegmentResponse> observer) {
    String text = Limits.required("segment_id", request.getSegmentId());
    SegmentId id = SegmentId.parse("segment_id", text);
    Optional<EventKey> after =
        token(request.getContinuationToken()).map(token -> PageTokens.segmentEvent(id, token));
    reads.answer(
        observer,
        services -> {
          Segment segment =
              services.segments().segment(id).orElseThrow(() -> missing("segment", id.value()));
          return new SegmentPages(services.events()).page(segment, after);
        });
  }

  private static Optional<String> token(String token) {
    return Optional.of(token).filter(text -> !text.isEmpty());
  }

  private static MemoryException missing(String what, String id) {
    return new MemoryException(ErrorCode.NOT_FOUND, "there is no " + what + " " + id);
  }
}
