package dev.agentmemory.service;

import dev.agentmemory.api.JobList;
import dev.agentmemory.api.NodeQuery;
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
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchNodeResponse;
import dev.agentmemory.proto.TocNode;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.toc.ChildPlace;
import dev.agentmemory.toc.TocNavigator;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.JobMessages;
import dev.agentmemory.wire.MatchMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.PageTokens;
import dev.agentmemory.wire.WireEnums;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The service that clients of earlier systems know: map, call, map.
final class MemoryRpc extends MemoryServiceGrpc.MemoryServiceImplBase {

  private static final int CONTEXT_DEFAULT = 3;
  private static final int CONTEXT_MOST = 200;

  private final CallPool reads;

  MemoryRpc(CallPool reads) {
    this.reads = reads;
  }

  /// Runs on the transport's thread and is answered from the store's: nothing here may block.
  @Override
  public void ingestEvent(
      IngestEventRequest request, StreamObserver<IngestEventResponse> observer) {
    if (!request.hasEvent()) {
      throw MemoryException.invalid("event", "is missing; send the event to store");
    }
    CallPool.tolerateCancel((ServerCallStreamObserver<IngestEventResponse>) observer);
    Intake intake = CallServices.get().intake();
    var _ =
        accepted(request, intake)
            .thenApply(receipts -> answer(receipts.getFirst(), intake))
            .whenComplete((answer, failure) -> {
              if (failure != null) {
                observer.onError(failure);
                return;
              }
              observer.onNext(answer);
              observer.onCompleted();
            });
  }

  private static CompletableFuture<List<Receipt>> accepted(
      IngestEventRequest request, Intake intake) {
    try {
      return intake.accept(List.of(EventMessages.fromWire(request.getEvent())));
    } catch (MemoryException e) {
      if (e.code() == ErrorCode.INVALID_FIELD) {
        intake.refused(e);
      }
      throw e;
    }
  }

  private static IngestEventResponse answer(Receipt receipt, Intake intake) {
    var answer = IngestEventResponse.newBuilder().setEventId(receipt.event().value());
    return switch (receipt) {
      case Receipt.Created _ -> answer.setCreated(true).build();
      case Receipt.AlreadyKnown _ -> answer.build();
      case Receipt.Conflict conflict -> {
        intake.refused(conflict);
        throw new MemoryException(
            ErrorCode.EVENT_CONFLICT,
            "event "
                + conflict.event()
                + " is stored with other content; send this one under an id of its own");
      }
    };
  }

  @Override
  public void getTocRoot(GetTocRootRequest request, StreamObserver<GetTocRootResponse> observer) {
    reads.answer(
        observer,
        services ->
            GetTocRootResponse.newBuilder().addAllNodes(nodes(services.toc().root())).build());
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> observer) {
    Optional<NodeId> id = Limits.node("node_id", request.getNodeId());
    reads.answer(
        observer,
        services -> {
          var response = GetNodeResponse.newBuilder();
          id.flatMap(services.toc()::node).map(NodeMessages::toWire).ifPresent(response::setNode);
          return response.build();
        });
  }

  @Override
  public void browseToc(BrowseTocRequest request, StreamObserver<BrowseTocResponse> observer) {
    reads.answer(observer, services -> children(services.toc(), request));
  }

  private static BrowseTocResponse children(TocNavigator toc, BrowseTocRequest request) {
    Optional<NodeId> parent = NodeId.parse(request.getParentId());
    if (parent.isEmpty() && !request.getParentId().isEmpty()) {
      return BrowseTocResponse.getDefaultInstance();
    }
    String scope = parent.map(NodeId::value).orElse("");
    Optional<ChildPlace> after =
        Optional.of(request.getContinuationToken())
            .filter(token -> !token.isEmpty())
            .map(token -> PageTokens.child(scope, token))
            .map(token -> new ChildPlace(token.start(), token.id()));
    int limit = Limits.limit(request.getLimit(), 20, 1000);
    Limits.Page<TocNode> page = Limits.page(nodes(toc.children(parent, after, limit + 1)), limit);
    var response = BrowseTocResponse.newBuilder().addAllChildren(page.items());
    if (page.more()) {
      TocNode last = page.items().getLast();
      response.setHasMore(true).setContinuationToken(tokenAfter(scope, last));
    }
    return response.build();
  }

  private static String tokenAfter(String scope, TocNode child) {
    return PageTokens.afterChild(
        scope,
        Instant.ofEpochMilli(child.getStartTimeMs()),
        NodeMessages.nodeId("node_id", child.getNodeId()));
  }

  @Override
  public void getEvents(GetEventsRequest request, StreamObserver<GetEventsResponse> observer) {
    reads.answer(observer, services -> new EventPages(services.events()).page(request));
  }

  @Override
  public void expandGrip(ExpandGripRequest request, StreamObserver<ExpandGripResponse> observer) {
    String id = Limits.required("grip_id", request.getGripId());
    int before = request.hasEventsBefore() ? request.getEventsBefore() : CONTEXT_DEFAULT;
    int after = request.hasEventsAfter() ? request.getEventsAfter() : CONTEXT_DEFAULT;
    reads.answer(
        observer,
        services ->
            Optional.of(id)
                .filter(GripId::isValid)
                .map(GripId::new)
                .flatMap(grip -> services.toc().expand(grip, context(before), context(after)))
                .map(GripAnswers::toWire)
                .orElseGet(ExpandGripResponse::getDefaultInstance));
  }

  private static int context(int asked) {
    return Math.clamp(asked, 0, CONTEXT_MOST);
  }

  @Override
  public void getSchedulerStatus(
      GetSchedulerStatusRequest request, StreamObserver<GetSchedulerStatusResponse> observer) {
    reads.answer(
        observer,
        services -> {
          JobList jobs = services.jobs().list();
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
        services ->
            unknownJob(() -> services.jobs().pause(request.getJobName()))
                .map(error -> PauseJobResponse.newBuilder().setError(error).build())
                .orElseGet(() -> PauseJobResponse.newBuilder().setSuccess(true).build()));
  }

  @Override
  public void resumeJob(ResumeJobRequest request, StreamObserver<ResumeJobResponse> observer) {
    reads.answer(
        observer,
        services ->
            unknownJob(() -> services.jobs().resume(request.getJobName()))
                .map(error -> ResumeJobResponse.newBuilder().setError(error).build())
                .orElseGet(() -> ResumeJobResponse.newBuilder().setSuccess(true).build()));
  }

  /// These two calls answer with a text where others fail.
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
        new NodeQuery(
            Limits.required("query", request.getQuery()),
            MatchMessages.fields(request.getFieldsList()),
            Limits.limit(request.getLimit(), 10, NodeQuery.MOST),
            Math.max(0, request.getTokenBudget()));
    reads.answer(
        observer,
        services -> {
          NodeId node =
              id.orElseThrow(() ->
                  new MemoryException(
                      ErrorCode.NOT_FOUND, "there is no node " + request.getNodeId()));
          return MatchMessages.toWire(node, services.toc().searchNode(node, query));
        });
  }

  @Override
  public void searchChildren(
      SearchChildrenRequest request, StreamObserver<SearchChildrenResponse> observer) {
    var level = WireEnums.fromWire("child_level", request.getChildLevel());
    NodeQuery query =
        new NodeQuery(
            Limits.required("query", request.getQuery()),
            MatchMessages.fields(request.getFieldsList()),
            Limits.limit(request.getLimit(), 10, NodeQuery.MOST),
            Math.max(0, request.getTokenBudget()));
    Optional<NodeId> parent = NodeId.parse(request.getParentId());
    reads.answer(
        observer,
        services ->
            parent.isEmpty() && !request.getParentId().isEmpty()
                ? SearchChildrenResponse.getDefaultInstance()
                : MatchMessages.toWire(services.toc().searchChildren(parent, level, query)));
  }

  private static List<TocNode> nodes(List<dev.agentmemory.types.TocNode> nodes) {
    return nodes.stream().map(NodeMessages::toWire).toList();
  }
}
