package dev.agentmemory.client;

import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.BrowseTocResponse;
import dev.agentmemory.proto.CreateBackupRequest;
import dev.agentmemory.proto.CreateWorkspaceRequest;
import dev.agentmemory.proto.DeleteWorkspaceRequest;
import dev.agentmemory.proto.ExpandGripRequest;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.proto.FindSegmentsRequest;
import dev.agentmemory.proto.FindSegmentsResponse;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.GetModelUsageRequest;
import dev.agentmemory.proto.GetNodeRequest;
import dev.agentmemory.proto.GetNodeResponse;
import dev.agentmemory.proto.GetNodeVersionRequest;
import dev.agentmemory.proto.GetSchedulerStatusRequest;
import dev.agentmemory.proto.GetSchedulerStatusResponse;
import dev.agentmemory.proto.GetSegmentRequest;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.proto.GetSessionRequest;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.GetUsageRequest;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.proto.ListNodeVersionsRequest;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.ListSegmentsRequest;
import dev.agentmemory.proto.ListSegmentsResponse;
import dev.agentmemory.proto.ListSessionsRequest;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PauseJobRequest;
import dev.agentmemory.proto.PauseJobResponse;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.RebuildIndexRequest;
import dev.agentmemory.proto.RebuildTocRequest;
import dev.agentmemory.proto.ResumeJobRequest;
import dev.agentmemory.proto.ResumeJobResponse;
import dev.agentmemory.proto.RevertNodeRequest;
import dev.agentmemory.proto.RevertNodeResponse;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.proto.SearchChildrenRequest;
import dev.agentmemory.proto.SearchNodeRequest;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SearchStatusRequest;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.VerifyStoreRequest;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.store.BackupStep;
import dev.agentmemory.store.DaemonReport;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.ModelUsage;
import dev.agentmemory.store.RebuildReport;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.SearchReport;
import dev.agentmemory.store.StoreUsage;
import dev.agentmemory.store.WorkspaceReport;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.types.search.Context;
import dev.agentmemory.types.search.ContextRequest;
import dev.agentmemory.types.search.SearchAnswer;
import dev.agentmemory.types.search.SearchRequest;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.NodeMessages;
import dev.agentmemory.wire.ReportMessages;
import dev.agentmemory.wire.SearchMessages;
import dev.agentmemory.wire.SessionMessages;
import dev.agentmemory.wire.WireEnums;
import dev.agentmemory.wire.WorkspaceMessages;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Speaks to a daemon. All methods may be called from any thread; all fail with [MemoryException]:
/// what the daemon refused with the daemon's code, `UNREACHABLE` when it does not answer.
///
/// Where a method takes a limit, 0 is the daemon's default.
///
/// A list lacks rows that the daemon cannot read; they are added to the
/// [dev.agentmemory.store.PassedOver] in which the call is made.
public final class MemoryClient implements AutoCloseable {

  private final Transport transport;
  private final Failures failures;
  private final Calls calls;
  private final Deadlines deadlines;

  private MemoryClient(Endpoint endpoint, Transport transport, Deadlines deadlines) {
    this.transport = transport;
    this.failures = new Failures(endpoint);
    this.calls = new Calls(transport.calls(), failures);
    this.deadlines = deadlines;
  }

  /// A client for a daemon. The connection is made with the first call.
  public static MemoryClient connect(Endpoint endpoint) {
    return connect(endpoint, Deadlines.DEFAULT);
  }

  public static MemoryClient connect(Endpoint endpoint, Deadlines deadlines) {
    return new MemoryClient(endpoint, Transport.full(endpoint, deadlines.alive()), deadlines);
  }

  /// A client for a program that makes a few calls and ends: it starts fast, makes one call at a
  /// time, and finishes calls without waiting on the thread of the caller. Its streams are those of
  /// any other client.
  public static MemoryClient connectThin(Endpoint endpoint, Deadlines deadlines) {
    return new MemoryClient(endpoint, Transport.thin(endpoint, deadlines.alive()), deadlines);
  }

  /// Stores an event; it is on disk when the call returns a receipt other than a conflict.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming the field when the event is refused
  public Receipt ingest(Event event) {
    try {
      return receipt(
          calls.wait(MemoryServiceGrpc.getIngestEventMethod(), message(event), deadlines.call()));
    } catch (MemoryException e) {
      return conflict(event.id(), e);
    }
  }

  /// The same without waiting. What hangs on the future runs on the transport's thread and must be
  /// short.
  public CompletableFuture<Receipt> ingestAsync(Event event) {
    return calls
        .start(MemoryServiceGrpc.getIngestEventMethod(), message(event), deadlines.call())
        .handle((answer, failure) ->
            failure == null ? receipt(answer) : conflict(event.id(), failures.of(failure)));
  }

  private static IngestEventRequest message(Event event) {
    return IngestEventRequest.newBuilder()
        .setEvent(EventMessages.toWire(WellFormed.check(event)))
        .build();
  }

  private static Receipt receipt(IngestEventResponse answer) {
    EventId id = EventId.parse("event_id", answer.getEventId());
    return answer.getCreated() ? new Receipt.Created(id) : new Receipt.AlreadyKnown(id);
  }

  private static Receipt conflict(EventId id, MemoryException failure) {
    if (failure.code() != ErrorCode.EVENT_CONFLICT) {
      throw failure;
    }
    return new Receipt.Conflict(id);
  }

  /// Opens a stream for many events.
  ///
  /// @param acks gets the answer to each event, in order, on the transport's thread
  /// @throws MemoryException `UNREACHABLE` when a client made by `connectThin` finds no daemon that
  ///   answers; any other finds out when it sends
  public IngestStream openStream(Consumer<StreamAck> acks) {
    demandLife();
    return new IngestStream(transport.streams(), acks, failures, deadlines.silence());
  }

  /// A stream would wait much longer for the first sign of life.
  private void demandLife() {
    if (transport.isThin()) {
      healthy();
    }
  }

  /// Does nothing: whether the daemon answers.
  public void ping() {
    calls.wait(
        AdminServiceGrpc.getPingMethod(), PingRequest.getDefaultInstance(), deadlines.call());
  }

  /// The same without waiting.
  public CompletableFuture<Void> pingAsync() {
    return calls
        .start(AdminServiceGrpc.getPingMethod(), PingRequest.getDefaultInstance(), deadlines.call())
        .thenAccept(answer -> {});
  }

  /// Whether the daemon says that it serves; false when none answers.
  public boolean serving() {
    try {
      return healthy();
    } catch (MemoryException e) {
      return false;
    }
  }

  /// Whether the daemon says that it serves. Needs no token.
  ///
  /// @throws MemoryException `UNREACHABLE` when none answers
  public boolean healthy() {
    return calls
            .wait(
                HealthGrpc.getCheckMethod(),
                HealthCheckRequest.getDefaultInstance(),
                deadlines.call())
            .getStatus()
        == HealthCheckResponse.ServingStatus.SERVING;
  }

  /// The year nodes, newest first.
  public List<TocNode> root() {
    return calls
        .wait(
            MemoryServiceGrpc.getGetTocRootMethod(),
            GetTocRootRequest.getDefaultInstance(),
            deadlines.call())
        .getNodesList()
        .stream()
        .map(NodeMessages::fromWire)
        .toList();
  }

  /// @return empty when there is no such node
  public Optional<TocNode> node(NodeId id) {
    GetNodeResponse answer =
        calls.wait(
            MemoryServiceGrpc.getGetNodeMethod(),
            GetNodeRequest.newBuilder().setNodeId(id.value()).build(),
            deadlines.call());
    return answer.hasNode()
        ? Optional.of(NodeMessages.fromWire(answer.getNode()))
        : Optional.empty();
  }

  /// Children in time order; those of no parent are the years.
  ///
  /// @param next from the page before; empty for the first
  public Page<TocNode> children(Optional<NodeId> parent, Optional<String> next, int limit) {
    var request = BrowseTocRequest.newBuilder().setLimit(limit);
    parent.ifPresent(id -> request.setParentId(id.value()));
    next.ifPresent(request::setContinuationToken);
    BrowseTocResponse answer =
        calls.wait(MemoryServiceGrpc.getBrowseTocMethod(), request.build(), deadlines.call());
    return new Page<>(
        answer.getChildrenList().stream().map(NodeMessages::fromWire).toList(),
        Answers.text(answer.getContinuationToken()));
  }

  /// Events of all sessions in time order.
  ///
  /// @param from included
  /// @param to not included
  /// @param next from the page before; empty for the first
  public Page<Event> events(Instant from, Instant to, Optional<String> next, int limit) {
    var request =
        GetEventsRequest.newBuilder()
            .setFromTimestampMs(from.toEpochMilli())
            .setToTimestampMs(to.toEpochMilli())
            .setLimit(limit);
    next.ifPresent(request::setContinuationToken);
    GetEventsResponse answer =
        calls.wait(MemoryServiceGrpc.getGetEventsMethod(), request.build(), deadlines.call());
    return new Page<>(
        EventMessages.fromWire(answer.getEventsList()),
        Answers.text(answer.getContinuationToken()));
  }

  /// @param before events before the excerpt; 0 is none
  /// @param after events after the excerpt; 0 is none
  /// @return empty when there is no such grip
  public Optional<ExpandedGrip> expand(GripId id, int before, int after) {
    ExpandGripResponse answer =
        calls.wait(
            MemoryServiceGrpc.getExpandGripMethod(),
            ExpandGripRequest.newBuilder()
                .setGripId(id.value())
                .setEventsBefore(before)
                .setEventsAfter(after)
                .build(),
            deadlines.call());
    return answer.hasGrip() ? Optional.of(Answers.grip(answer)) : Optional.empty();
  }

  /// The best matches first.
  ///
  /// @throws MemoryException `NOT_FOUND` for an unknown node
  public List<Match> searchNode(NodeId id, NodeQuery query) {
    var request =
        SearchNodeRequest.newBuilder()
            .setNodeId(id.value())
            .setQuery(query.text())
            .addAllFields(query.fields().stream().map(Answers::field).toList())
            .setLimit(query.limit())
            .setTokenBudget(query.tokenBudget());
    return Answers.matches(
        calls
            .wait(MemoryServiceGrpc.getSearchNodeMethod(), request.build(), deadlines.call())
            .getMatchesList());
  }

  /// @param parent empty searches the year nodes
  /// @param level empty is the level below the parent
  public FoundNodes searchChildren(
      Optional<NodeId> parent, Optional<TocLevel> level, NodeQuery query) {
    var request =
        SearchChildrenRequest.newBuilder()
            .setQuery(query.text())
            .addAllFields(query.fields().stream().map(Answers::field).toList())
            .setLimit(query.limit())
            .setTokenBudget(query.tokenBudget());
    parent.ifPresent(id -> request.setParentId(id.value()));
    level.map(WireEnums::toWire).ifPresent(request::setChildLevel);
    return Answers.found(
        calls.wait(MemoryServiceGrpc.getSearchChildrenMethod(), request.build(), deadlines.call()));
  }

  /// The best hits for a question; none say why.
  ///
  /// @throws MemoryException `INVALID_FIELD` for a blank query
  public SearchAnswer search(SearchRequest request) {
    return SearchMessages.fromWire(
        calls.wait(
            SearchServiceGrpc.getSearchMethod(), SearchMessages.toWire(request), deadlines.call()));
  }

  /// The best evidence for a question, inside its token budget.
  ///
  /// @throws MemoryException `INVALID_FIELD` for a blank query
  public Context context(ContextRequest request) {
    return SearchMessages.fromWire(
        calls.wait(
            SearchServiceGrpc.getBuildContextMethod(),
            SearchMessages.toWire(request),
            deadlines.call()));
  }

  /// How the search index is.
  public SearchReport searchStatus() {
    return SearchMessages.fromWire(
        calls.wait(
            SearchServiceGrpc.getSearchStatusMethod(),
            SearchStatusRequest.getDefaultInstance(),
            deadlines.call()));
  }

  /// Makes the search index anew from the event log; may take long.
  ///
  /// @return events that went into it
  public long rebuildIndex() {
    return calls
        .wait(
            SearchServiceGrpc.getRebuildIndexMethod(),
            RebuildIndexRequest.getDefaultInstance(),
            deadlines.work())
        .getEvents();
  }

  /// Sessions by id.
  public Page<Session> sessions(Optional<String> next, int limit) {
    var request = ListSessionsRequest.newBuilder().setLimit(limit);
    next.ifPresent(request::setContinuationToken);
    ListSessionsResponse answer =
        calls.wait(SessionServiceGrpc.getListSessionsMethod(), request.build(), deadlines.call());
    return new Page<>(
        answer.getSessionsList().stream().map(SessionMessages::fromWire).toList(),
        Answers.text(answer.getContinuationToken()));
  }

  /// @throws MemoryException `NOT_FOUND` when no event of it is stored
  public Session session(SessionId id) {
    return SessionMessages.fromWire(
        calls
            .wait(
                SessionServiceGrpc.getGetSessionMethod(),
                GetSessionRequest.newBuilder().setSessionId(id.value()).build(),
                deadlines.call())
            .getSession());
  }

  /// The segments of a session in time order; empty for an unknown session.
  public Page<SegmentOutline> segments(SessionId session, Optional<String> next, int limit) {
    var request = ListSegmentsRequest.newBuilder().setSessionId(session.value()).setLimit(limit);
    next.ifPresent(request::setContinuationToken);
    ListSegmentsResponse answer =
        calls.wait(SessionServiceGrpc.getListSegmentsMethod(), request.build(), deadlines.call());
    return new Page<>(
        answer.getSegmentsList().stream().map(Answers::segment).toList(),
        Answers.text(answer.getContinuationToken()));
  }

  /// The segments of all sessions that begin in a time, by the day on which they begin and then by
  /// id.
  ///
  /// @param from included
  /// @param to not included
  public Page<SegmentOutline> segments(Instant from, Instant to, Optional<String> next, int limit) {
    var request =
        FindSegmentsRequest.newBuilder()
            .setFromMs(from.toEpochMilli())
            .setToMs(to.toEpochMilli())
            .setLimit(limit);
    next.ifPresent(request::setContinuationToken);
    FindSegmentsResponse answer =
        calls.wait(SessionServiceGrpc.getFindSegmentsMethod(), request.build(), deadlines.call());
    return new Page<>(
        answer.getSegmentsList().stream().map(Answers::segment).toList(),
        Answers.text(answer.getContinuationToken()));
  }

  /// The kept versions of a node, newest first, also of one that was retired.
  ///
  /// @param before only versions below this one; 0 starts with the newest
  /// @throws MemoryException `NOT_FOUND` when there are none
  public NodeVersions versions(NodeId id, int before, int limit) {
    ListNodeVersionsResponse answer =
        calls.wait(
            TocServiceGrpc.getListNodeVersionsMethod(),
            ListNodeVersionsRequest.newBuilder()
                .setNodeId(id.value())
                .setBeforeVersion(before)
                .setLimit(limit)
                .build(),
            deadlines.call());
    return new NodeVersions(
        answer.getVersionsList().stream().map(NodeMessages::fromWire).toList(),
        answer.getHasMore());
  }

  /// @throws MemoryException `NOT_FOUND` saying which versions there are
  public TocNode version(NodeId id, int version) {
    return NodeMessages.fromWire(
        calls
            .wait(
                TocServiceGrpc.getGetNodeVersionMethod(),
                GetNodeVersionRequest.newBuilder()
                    .setNodeId(id.value())
                    .setVersion(version)
                    .build(),
                deadlines.call())
            .getNode());
  }

  /// Gives a node the words of one of its versions, as a new version.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such version or the node was retired,
  ///   `CONFLICT` when evidence of the old version is gone
  public Reverted revert(NodeId id, int version) {
    RevertNodeResponse answer =
        calls.wait(
            TocServiceGrpc.getRevertNodeMethod(),
            RevertNodeRequest.newBuilder().setNodeId(id.value()).setVersion(version).build(),
            deadlines.call());
    return new Reverted(NodeMessages.fromWire(answer.getNode()), answer.getChanged());
  }

  /// A whole segment, in as many calls as its size needs.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is none
  public SegmentView segment(SegmentId id) {
    var request = GetSegmentRequest.newBuilder().setSegmentId(id.value());
    List<GetSegmentResponse> pages = new ArrayList<>();
    do {
      pages.add(
          calls.wait(SessionServiceGrpc.getGetSegmentMethod(), request.build(), deadlines.call()));
      request.setContinuationToken(pages.getLast().getContinuationToken());
    } while (pages.getLast().hasContinuationToken());
    return Answers.segment(pages);
  }

  /// The workspaces of the daemon, by name.
  public Page<WorkspaceReport> workspaces(Optional<String> next, int limit) {
    return workspaces(ListWorkspacesRequest.newBuilder().setLimit(limit), next);
  }

  /// The same for those with a problem only; cheaper, because the others are not counted.
  public Page<WorkspaceReport> troubledWorkspaces(Optional<String> next, int limit) {
    return workspaces(
        ListWorkspacesRequest.newBuilder().setLimit(limit).setOnlyProblems(true), next);
  }

  /// Creates a workspace where there is none.
  ///
  /// @return whether it was not there before
  public boolean createWorkspace(WorkspaceName name) {
    return calls
        .wait(
            WorkspaceServiceGrpc.getCreateWorkspaceMethod(),
            CreateWorkspaceRequest.newBuilder().setName(name.value()).build(),
            deadlines.call())
        .getCreated();
  }

  /// Deletes a workspace with everything in it; may take a while.
  ///
  /// @return the size of its files in bytes
  /// @throws MemoryException `NOT_FOUND` when there is none, `CONFLICT` when calls are using it
  public long deleteWorkspace(WorkspaceName name) {
    return calls
        .wait(
            WorkspaceServiceGrpc.getDeleteWorkspaceMethod(),
            DeleteWorkspaceRequest.newBuilder().setName(name.value()).build(),
            deadlines.work())
        .getDiskBytes();
  }

  private Page<WorkspaceReport> workspaces(
      ListWorkspacesRequest.Builder request, Optional<String> next) {
    next.ifPresent(request::setContinuationToken);
    ListWorkspacesResponse answer =
        calls.wait(
            WorkspaceServiceGrpc.getListWorkspacesMethod(), request.build(), deadlines.call());
    return new Page<>(
        answer.getWorkspacesList().stream().map(WorkspaceMessages::fromWire).toList(),
        Answers.text(answer.getContinuationToken()));
  }

  /// Makes a backup of stores and waits for it, however long it takes.
  ///
  /// @param directory a whole path on the daemon's machine
  /// @param workspaces empty for all stores of the daemon
  /// @param steps hears of each store how its backup goes on and ends; called on this thread
  /// @throws MemoryException when the directory cannot be used or there is no such workspace; what
  ///   concerns one store is told as a step
  public void backup(
      Path directory,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps) {
    demandLife();
    new BackupCall(failures, deadlines.silence())
        .run(
            transport.streams(),
            CreateBackupRequest.newBuilder()
                .setDirectory(directory.toString())
                .addAllWorkspaces(workspaces.stream().map(WorkspaceName::value).toList())
                .setWithIndex(withIndex)
                .build(),
            steps);
  }

  /// How the daemon is doing.
  public DaemonReport stats() {
    return ReportMessages.fromWire(
        calls.wait(
            AdminServiceGrpc.getGetStatsMethod(),
            GetStatsRequest.getDefaultInstance(),
            deadlines.call()));
  }

  /// What the store holds; may take a while.
  public StoreUsage usage() {
    return ReportMessages.fromWire(
        calls.wait(
            AdminServiceGrpc.getGetUsageMethod(),
            GetUsageRequest.getDefaultInstance(),
            deadlines.work()));
  }

  /// What models were asked and what it cost.
  ///
  /// @param days today included, 1 to [ModelUsage#MOST_DAYS]; 0 is the daemon's default
  /// @throws MemoryException `INVALID_FIELD` when there are too many or too few
  public ModelUsage modelUsage(int days) {
    return ReportMessages.fromWire(
        calls.wait(
            AdminServiceGrpc.getGetModelUsageMethod(),
            GetModelUsageRequest.newBuilder().setDays(days).build(),
            deadlines.work()));
  }

  /// Checks the store; may take long.
  public List<Finding> verify(int limit) {
    return calls
        .wait(
            AdminServiceGrpc.getVerifyStoreMethod(),
            VerifyStoreRequest.newBuilder().setLimit(limit).build(),
            deadlines.work())
        .getFindingsList()
        .stream()
        .map(ReportMessages::fromWire)
        .toList();
  }

  /// Cuts every session anew from the event log; may take long.
  public RebuildReport rebuildToc() {
    return ReportMessages.fromWire(
        calls.wait(
            AdminServiceGrpc.getRebuildTocMethod(),
            RebuildTocRequest.getDefaultInstance(),
            deadlines.work()));
  }

  /// The jobs of the daemon.
  public JobViews jobs() {
    GetSchedulerStatusResponse answer =
        calls.wait(
            MemoryServiceGrpc.getGetSchedulerStatusMethod(),
            GetSchedulerStatusRequest.getDefaultInstance(),
            deadlines.call());
    return new JobViews(
        answer.getSchedulerRunning(), answer.getJobsList().stream().map(Answers::job).toList());
  }

  /// Keeps a job from running until it is resumed.
  ///
  /// @throws MemoryException `NOT_FOUND` naming the jobs that exist
  public void pause(String job) {
    PauseJobResponse answer =
        calls.wait(
            MemoryServiceGrpc.getPauseJobMethod(),
            PauseJobRequest.newBuilder().setJobName(job).build(),
            deadlines.call());
    if (!answer.getSuccess()) {
      throw new MemoryException(ErrorCode.NOT_FOUND, answer.getError());
    }
  }

  /// Lets a paused job run again.
  ///
  /// @throws MemoryException `NOT_FOUND` naming the jobs that exist
  public void resume(String job) {
    ResumeJobResponse answer =
        calls.wait(
            MemoryServiceGrpc.getResumeJobMethod(),
            ResumeJobRequest.newBuilder().setJobName(job).build(),
            deadlines.call());
    if (!answer.getSuccess()) {
      throw new MemoryException(ErrorCode.NOT_FOUND, answer.getError());
    }
  }

  /// Runs a job now and waits for it.
  ///
  /// @return what the run did
  /// @throws MemoryException `NOT_FOUND` naming the jobs that exist
  public Map<String, String> runJob(String job) {
    return calls
        .wait(
            AdminServiceGrpc.getRunJobMethod(),
            RunJobRequest.newBuilder().setJobName(job).build(),
            deadlines.work())
        .getMetadataMap();
  }

  /// Ends the connection; calls in progress may end within a few seconds.
  @Override
  public void close() {
    transport.close();
  }
}
