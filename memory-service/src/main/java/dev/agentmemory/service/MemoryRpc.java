package dev.agentmemory.service;

import com.google.protobuf.MessageLite;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.JobList;
import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeChildren;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.contents.NodeScope;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.ExpandGripRequest;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.GetNodeRequest;
import dev.agentmemory.proto.GetNodeResponse;
import dev.agentmemory.proto.GetSchedulerStatusRequest;
import dev.agentmemory.proto.GetSchedulerStatusResponse;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.GetTocRootResponse;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PauseJobRequest;
import dev.agentmemory.proto.PauseJobResponse;
import dev.agentmemory.proto.ResumeJobRequest;
import dev.agentmemory.proto.ResumeJobResponse;
import dev.agentmemory.proto.SearchChildrenRequest;
import dev.agentmemory.proto.SearchChildrenResponse;
import dev.agentmemory.proto.SearchField;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.TocChildren;
import dev.agentmemory.proto.TocNode;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.GripMessages;
import dev.agentmemory.wire.JobMessages;
import dev.agentmemory.wire.MatchMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.WireEnums;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The service that clients of earlier systems use: each call maps the request, calls the API and
/// maps the response.
final class MemoryRpc extends MemoryServiceGrpc.MemoryServiceImplBase {

  private static final int CONTEXT_DEFAULT = 3;

  private final CallPool reads;

  MemoryRpc(CallPool reads) {
    this.reads = reads;
  }

  /// Runs on the transport's thread and is answered from the store's thread. Nothing here may
  /// block.
  @Override
  public void ingestEvent(
      IngestEventRequest request, StreamObserver<IngestEventResponse> observer) {
    if (!request.hasEvent()) {
      throw MemoryException.invalid("event", "is missing; send the event to store");
    }
    Ingest ingest = CallMemory.get().ingest();
    CallPool.answer(
        observer,
        ingest
            .append(List.of(event(request, ingest)))
            .thenApply(receipts -> answer(receipts.getFirst())));
  }

  private static Event event(IngestEventRequest request, Ingest ingest) {
    try {
      return EventMessages.fromWire(request.getEvent());
    } catch (MemoryException e) {
      ingest.refused(e);
      throw e;
    }
  }

  private static IngestEventResponse answer(Receipt receipt) {
    var answer = IngestEventResponse.newBuilder().setEventId(receipt.event().value());
    return switch (receipt) {
      case Receipt.Created _ -> answer.setCreated(true).build();
      case Receipt.AlreadyKnown _ -> answer.build();
      case Receipt.Erased _ -> answer.setErased(true).build();
      case Receipt.Conflict conflict ->
          throw new MemoryException(ErrorCode.EVENT_CONFLICT, conflict.problem());
      case Receipt.Refused refused -> throw refused.why();
    };
  }

  @Override
  public void getTocRoot(GetTocRootRequest request, StreamObserver<GetTocRootResponse> observer) {
    int limit = Math.max(0, request.getLimit());
    reads.answer(
        observer,
        memory -> {
          Contents contents = memory.contents();
          var answer = GetTocRootResponse.newBuilder().addAllNodes(nodes(contents.root()));
          if (request.getDescend()) {
            List<TocChildren> newest =
                contents.newest(limit).stream().map(MemoryRpc::children).toList();
            answer.addAllNewest(
                Limits.fitting(
                    newest, Limits.ANSWER_BYTES - (long) answer.build().getSerializedSize()));
          }
          return answer.build();
        });
  }

  private static TocChildren children(NodeChildren of) {
    var children =
        TocChildren.newBuilder()
            .setParentId(of.parent().value())
            .addAllChildren(nodes(of.children().items()));
    of.children().next().ifPresent(children::setContinuationToken);
    return children.build();
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> observer) {
    Optional<NodeId> id = Limits.node("node_id", request.getNodeId());
    reads.answer(
        observer,
        memory -> {
          var response = GetNodeResponse.newBuilder();
          id.flatMap(memory.contents()::node)
              .map(NodeMessages::toWire)
              .ifPresent(response::setNode);
          return response.build();
        });
  }

  @Override
  public void browseToc(BrowseTocRequest request, StreamObserver<BrowseTocResponse> observer) {
    Optional<NodeId> parent = NodeId.parse(request.getParentId());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    reads.answer(
        observer,
        memory ->
            parent.isEmpty() && !request.getParentId().isEmpty()
                ? BrowseTocResponse.getDefaultInstance()
                : Limits.paged(
                    page, next -> children(memory.contents(), parent, next), MemoryRpc::children));
  }

  private static Page<dev.agentmemory.types.TocNode> children(
      Contents contents, Optional<NodeId> parent, PageRequest page) {
    return parent.isEmpty() ? contents.years(page) : contents.children(parent.get(), page);
  }

  private static BrowseTocResponse children(Page<dev.agentmemory.types.TocNode> page) {
    var answer = BrowseTocResponse.newBuilder().addAllChildren(nodes(page.items()));
    page.next().ifPresent(token -> answer.setHasMore(true).setContinuationToken(token));
    return answer.build();
  }

  @Override
  public void getEvents(GetEventsRequest request, StreamObserver<GetEventsResponse> observer) {
    if (!request.getEventId().isEmpty()) {
      EventId id = EventId.parseStored("event_id", request.getEventId());
      reads.answer(
          observer, memory -> events(new Page<>(memory.events().event(id).stream().toList(), "")));
      return;
    }
    Instant from = Instant.ofEpochMilli(request.getFromTimestampMs());
    Instant to = Instant.ofEpochMilli(request.getToTimestampMs());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    reads.answer(
        observer,
        memory ->
            Limits.paged(page, next -> memory.events().between(from, to, next), MemoryRpc::events));
  }

  private static GetEventsResponse events(Page<Event> page) {
    var answer = GetEventsResponse.newBuilder().addAllEvents(EventMessages.toWire(page.items()));
    page.next().ifPresent(token -> answer.setHasMore(true).setContinuationToken(token));
    return answer.build();
  }

  @Override
  public void expandGrip(ExpandGripRequest request, StreamObserver<ExpandGripResponse> observer) {
    String id = Limits.required("grip_id", request.getGripId());
    int before = request.hasEventsBefore() ? request.getEventsBefore() : CONTEXT_DEFAULT;
    int after = request.hasEventsAfter() ? request.getEventsAfter() : CONTEXT_DEFAULT;
    reads.answer(
        observer,
        memory ->
            Optional.of(id)
                .filter(GripId::isValid)
                .map(GripId::new)
                .flatMap(grip -> memory.contents().expand(grip, before, after))
                .map(MemoryRpc::toWire)
                .orElseGet(ExpandGripResponse::getDefaultInstance));
  }

  /// The events of the excerpt are always included. If the response would be too large, the most
  /// distant context events are omitted.
  private static ExpandGripResponse toWire(GripContext context) {
    List<dev.agentmemory.proto.Event> excerpt = EventMessages.toWire(context.excerpt());
    long room =
        Limits.ANSWER_BYTES - excerpt.stream().mapToLong(MessageLite::getSerializedSize).sum();
    List<dev.agentmemory.proto.Event> before =
        Limits.fitting(EventMessages.toWire(context.before()).reversed(), room / 2);
    List<dev.agentmemory.proto.Event> after =
        Limits.fitting(EventMessages.toWire(context.after()), room / 2);
    return ExpandGripResponse.newBuilder()
        .setGrip(GripMessages.toWire(context.grip()))
        .addAllEventsBefore(before.reversed())
        .addAllExcerptEvents(excerpt)
        .addAllEventsAfter(after)
        .build();
  }

  @Override
  public void getSchedulerStatus(
      GetSchedulerStatusRequest request, StreamObserver<GetSchedulerStatusResponse> observer) {
    reads.answer(
        observer,
        memory -> {
          JobList jobs = memory.jobs().list();
          return GetSchedulerStatusResponse.newBuilder()
              .setSchedulerRunning(jobs.running())
              .addAllJobs(jobs.jobs().stream().map(JobMessages::toWire).toList())
              .build();
        });
  }

  @Override
  public void pauseJob(PauseJobRequest request, StreamObserver<PauseJobResponse> observer) {
    reads.answer(
        observer,
        memory ->
            unknownJob(() -> memory.jobs().pause(request.getJobName()))
                .map(error -> PauseJobResponse.newBuilder().setError(error).build())
                .orElseGet(() -> PauseJobResponse.newBuilder().setSuccess(true).build()));
  }

  @Override
  public void resumeJob(ResumeJobRequest request, StreamObserver<ResumeJobResponse> observer) {
    reads.answer(
        observer,
        memory ->
            unknownJob(() -> memory.jobs().resume(request.getJobName()))
                .map(error -> ResumeJobResponse.newBuilder().setError(error).build())
                .orElseGet(() -> ResumeJobResponse.newBuilder().setSuccess(true).build()));
  }

  /// These two calls return a text where others fail.
  private static Optional<String> unknownJob(Runnable change) {
    try {
      change.run();
      return Optional.empty();
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void searchNode(SearchNodeRequest request, StreamObserver<SearchNodeResponse> observer) {
    Optional<NodeId> id = Limits.node("node_id", request.getNodeId());
    NodeQuery query =
        query(
            request.getQuery(),
            request.getFieldsList(),
            request.getLimit(),
            request.getTokenBudget());
    reads.answer(
        observer,
        memory -> {
          NodeId node =
              id.orElseThrow(() ->
                  new MemoryException(
                      ErrorCode.NOT_FOUND, "there is no node " + request.getNodeId()));
          return MatchMessages.toWire(node, memory.contents().searchNode(node, query));
        });
  }

  @Override
  public void searchChildren(
      SearchChildrenRequest request, StreamObserver<SearchChildrenResponse> observer) {
    var level = WireEnums.LEVEL.fromWire("child_level", request.getChildLevel());
    NodeQuery query =
        query(
            request.getQuery(),
            request.getFieldsList(),
            request.getLimit(),
            request.getTokenBudget());
    Optional<NodeId> parent = NodeId.parse(request.getParentId());
    reads.answer(
        observer,
        memory ->
            parent.isEmpty() && !request.getParentId().isEmpty()
                ? SearchChildrenResponse.getDefaultInstance()
                : MatchMessages.toWire(
                    memory.contents().search(new NodeScope(parent, level), query)));
  }

  /// A limit or budget of 0 or less is the default.
  private static NodeQuery query(
      String text, List<SearchField> fields, int limit, int tokenBudget) {
    return new NodeQuery(
        text,
        MatchMessages.fields(fields),
        limit <= 0 ? NodeQuery.BY_DEFAULT : Math.min(limit, NodeQuery.MOST),
        Math.max(0, tokenBudget));
  }

  private static List<TocNode> nodes(List<dev.agentmemory.types.TocNode> nodes) {
    return nodes.stream().map(NodeMessages::toWire).toList();
  }
}
