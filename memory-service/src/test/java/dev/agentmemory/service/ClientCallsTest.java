package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.SegmentView;
import dev.agentmemory.api.contents.FoundNode;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.contents.NodeScope;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.ForgetRequest;
import dev.agentmemory.proto.GetSegmentRequest;
import dev.agentmemory.proto.GetSegmentResponse;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.wire.ForgetMessages;
import io.grpc.Status;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every call through client and server.
class ClientCallsTest {
  private static final NodeScope ALL_YEARS = new NodeScope(Optional.empty(), Optional.empty());

  private final Fixture fixture = Fixture.open();
  private final MemoryClient client = connect(fixture);

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  MemoryClient connect(Fixture to) {
    return to.client();
  }

  private static MemoryException refused(ErrorCode code, ThrowingCallable call) {
    MemoryException failure = catchThrowableOfType(MemoryException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(code);
    return failure;
  }

  private static <T> List<T> all(int size, Function<PageRequest, Page<T>> pages) {
    return Page.stream(PageRequest.of(size), pages).toList();
  }

  @Test
  void ingest_newKnownAndConflicting_areReceipts() throws Exception {
    Event event = Samples.event(1);
    assertThat(client.ingest().append(event)).isEqualTo(new Receipt.Created(event.id()));
    assertThat(client.ingest().append(event)).isEqualTo(new Receipt.AlreadyKnown(event.id()));
    Event other = Samples.event(1, Samples.START, "other");
    assertThat(client.ingest().append(other)).isEqualTo(new Receipt.Conflict(event.id()));
    assertThat(client.ingest().appendAsync(other).get(10, TimeUnit.SECONDS))
        .isEqualTo(new Receipt.Conflict(event.id()));
  }

  @Test
  void ingest_refused_namesTheFieldOnce() {
    Event bad = Samples.tooFarAhead(1);
    MemoryException failure = refused(ErrorCode.INVALID_FIELD, () -> client.ingest().append(bad));
    assertThat(failure.field()).contains("event.timestamp_ms");
    assertThat(failure).hasMessageMatching("event\\.timestamp_ms: is more than [^:]+");
  }

  @Test
  void importEvents_areReceiptsInOrder_alsoOfThoseThatCannotBeSent() {
    client.ingest().append(Samples.event(2));
    Event illFormed = Samples.event(1, Samples.START, "half a pair \ud800");
    List<Event> events =
        List.of(
            illFormed,
            Samples.event(2),
            Samples.event(2, Samples.START, "other"),
            Samples.tooFarAhead(4),
            Samples.event(3));
    List<Receipt> receipts = client.importEvents(events);
    assertThat(receipts)
        .extracting(Receipt::event)
        .isEqualTo(events.stream().map(Event::id).toList());
    assertThat(receipts.get(0))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> assertThat(refusal.why().field()).contains("event.text"));
    assertThat(receipts.get(1)).isEqualTo(new Receipt.AlreadyKnown(events.get(1).id()));
    assertThat(receipts.get(2)).isEqualTo(new Receipt.Conflict(events.get(2).id()));
    assertThat(receipts.get(3))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> assertThat(refusal.why().field()).contains("event.timestamp_ms"));
    assertThat(receipts.get(4)).isEqualTo(new Receipt.Created(events.get(4).id()));
    assertThat(fixture.store.event(Samples.id(3))).contains(Samples.event(3));
    assertThat(fixture.store.event(Samples.id(1))).isEmpty();
  }

  @Test
  void health_andPing_areAnswered() throws Exception {
    assertThat(client.serving()).isFalse();
    fixture.server.serving(true);
    assertThat(client.serving()).isTrue();
    client.ping();
    client.pingAsync().get(10, TimeUnit.SECONDS);
  }

  @Test
  void toc_nodes_comeBackEqual() {
    TocNode year = Samples.year(2026);
    fixture.put(year, Samples.year(2027));
    assertThat(client.contents().root()).hasSize(2).contains(year);
    assertThat(client.contents().node(year.id())).contains(year);
    assertThat(client.contents().node(NodeId.year(1999))).isEmpty();
    assertThat(all(1, page -> client.contents().years(page)))
        .containsExactly(year, Samples.year(2027));
  }

  @Test
  void events_pages_comeBackEqual() {
    fixture.store.commit(Commit.append(Samples.events(25)));
    Instant end = Instant.ofEpochMilli(Samples.START + 25);
    assertThat(all(10, page -> client.events().between(Instant.EPOCH, end, page)))
        .isEqualTo(Samples.events(25));
    MemoryException failure =
        refused(
            ErrorCode.INVALID_TOKEN,
            () -> client.events().between(Instant.EPOCH, end, new PageRequest("garbage", 10)));
    assertThat(failure).hasMessageContaining("continuation_token");
  }

  @Test
  void grip_expanded_comesWithItsContext() {
    List<Event> session = Samples.session(9, "text");
    fixture.putGrip(session, session.get(5));
    GripContext grip = client.contents().expand(Samples.grip(1), 2, 0).orElseThrow();
    assertThat(grip.grip()).isEqualTo(Samples.gripOn(session.get(5)));
    assertThat(grip.before()).isEqualTo(session.subList(3, 5));
    assertThat(grip.excerpt()).containsExactly(session.get(5));
    assertThat(grip.after()).isEmpty();
    assertThat(client.contents().expand(Samples.grip(9), 0, 0)).isEmpty();
  }

  @Test
  void search_matches_comeBack() {
    fixture.put(Samples.year(2026), Samples.year(2027));
    NodeMatch match =
        client.contents().searchNode(NodeId.year(2026), NodeQuery.of("jitter")).getFirst();
    assertThat(match.field()).isEqualTo(NodeField.BULLETS);
    assertThat(match.text()).isEqualTo("Retry with jitter");
    assertThat(match.grips()).containsExactly(Samples.grip(1));
    assertThat(match.score()).isPositive();
    var one = NodeQuery.of("jitter").withLimit(1);
    FoundNodes found = client.contents().search(ALL_YEARS, one);
    assertThat(found.more()).isTrue();
    assertThat(found.nodes()).extracting(FoundNode::id).containsExactly(NodeId.year(2026));
    refused(ErrorCode.NOT_FOUND, () -> client.contents().searchNode(NodeId.year(1999), one));
  }

  @Test
  void sessions_pagesAndOne_comeBackEqual() {
    fixture.store.commit(Commit.append(Samples.events(9)));
    List<Session> sessions = all(2, page -> client.sessions().list(page));
    assertThat(sessions).isEqualTo(fixture.store.sessions(Optional.empty(), 10)).hasSize(3);
    assertThat(client.sessions().session(new SessionId("s1"))).isEqualTo(sessions.get(1));
    refused(ErrorCode.NOT_FOUND, () -> client.sessions().session(new SessionId("nobody")));
    refused(ErrorCode.INVALID_TOKEN, () -> client.sessions().list(new PageRequest("garbage", 2)));
  }

  @Test
  void segments_pagesAndOne_comeBack() {
    SessionId session = new SessionId("s0");
    List<Event> events = IntStream.range(0, 5).mapToObj(i -> Samples.event(i * 3)).toList();
    List<Segment> segments = events.stream().map(event -> segment(session, event)).toList();
    fixture.store.commit(Commit.append(events));
    fixture.store.commit(Commit.of(segments.stream().<Change>map(Change.PutSegment::new).toList()));

    List<SegmentOutline> outlines = all(2, page -> client.sessions().segments(session, page));
    assertThat(outlines)
        .extracting(SegmentOutline::id)
        .isEqualTo(segments.stream().map(Segment::id).toList());
    SegmentView view = client.sessions().segment(segments.get(2).id());
    assertThat(view.outline()).isEqualTo(outlines.get(2));
    assertThat(view.outline().tokens()).isEqualTo(7);
    assertThat(view.events()).containsExactly(events.get(2));
    assertThat(client.sessions().segments(new SessionId("nobody"), PageRequest.first()).items())
        .isEmpty();
    refused(ErrorCode.NOT_FOUND, () -> client.sessions().segment(new SegmentId(Samples.id(77))));
  }

  private static Segment segment(SessionId session, Event event) {
    return segment(session, List.of(event), List.of());
  }

  private static Segment segment(SessionId session, List<Event> own, List<Event> overlap) {
    EventId first = own.getFirst().id();
    return new Segment(
        new SegmentId(first),
        session,
        NodeId.segment(LocalDate.of(2026, 1, 21), first),
        own.stream()
            .map(event -> new SegmentEntry(event.key(), 7, SegmentEntry.Kind.PERSON))
            .toList(),
        overlap.stream().map(Event::key).toList(),
        Boundary.GAP);
  }

  @Test
  void segment_ofManyLargeEvents_comesPageByPageAndWhole() throws Exception {
    List<Event> events = Samples.session(9, "x".repeat(1_000_000));
    Segment segment = segment(new SessionId("s0"), events.subList(2, 9), events.subList(0, 2));
    fixture.store.commit(Commit.append(events));
    fixture.store.commit(Commit.of(new Change.PutSegment(segment)));

    var request = GetSegmentRequest.newBuilder().setSegmentId(segment.id().value());
    GetSegmentResponse first = fixture.sessions().getSegment(request.build());
    assertThat(first.getSerializedSize()).isLessThan(4 << 20);
    assertThat(first.getOverlapEventsCount()).isEqualTo(2);
    assertThat(first.getEventsCount()).isEqualTo(1);
    SegmentView view = client.sessions().segment(segment.id());
    assertThat(view.overlap()).isEqualTo(events.subList(0, 2));
    assertThat(view.events()).isEqualTo(events.subList(2, 9));

    request.setSegmentId(new SegmentId(Samples.id(77)).value());
    request.setContinuationToken(first.getContinuationToken());
    Refusals.of(() -> fixture.sessions().getSegment(request.build()))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_TOKEN);
  }

  @Test
  void forget_asksForWhatIsNamed_andAnswersWithTheReceipt() {
    var event = TestEvents.id(TestEvents.START, 7);
    ForgetReceipt receipt =
        client.admin().forget(Forgetting.of(event), /* dryRun= */ false, /* wait= */ false);
    assertThat(receipt.events()).isEqualTo(1);
    assertThat(receipt.pending()).isTrue();
    assertThat(receipt.topics()).containsExactly(Map.entry("work.retry", 6L));
    assertThat(receipt.backups()).containsExactly("/backups 000001");
    assertThat(receipt.files()).isEqualTo(7);
    assertThat(receipt.left()).containsExactly("a folder is left; delete it");
    assertThat(receipt.finished().withBackups(List.of()).left()).isEqualTo(receipt.left());
    assertThat(receipt.finished().pending()).isFalse();
    var described =
        new Forgetting(
            Set.of(),
            Set.of(),
            Optional.of(new SessionId("s")),
            Optional.of("claude-code"),
            Optional.of(new Tag("work")),
            Optional.empty(),
            Optional.of(Instant.ofEpochMilli(5)),
            Optional.of(Instant.ofEpochMilli(6)),
            /* all= */ false,
            "moved on");
    assertThat(client.admin().forget(described, /* dryRun= */ true, /* wait= */ true).reason())
        .isEqualTo("moved on");
    assertThat(ForgetMessages.fromWire(ForgetMessages.toWire(described))).isEqualTo(described);
    var source =
        new Forgetting(
            Set.of(),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("import"),
            Optional.empty(),
            Optional.empty(),
            /* all= */ false,
            "");
    assertThat(ForgetMessages.fromWire(ForgetMessages.toWire(source))).isEqualTo(source);
    assertThatThrownBy(() -> ForgetMessages.fromWire(ForgetRequest.getDefaultInstance()))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD));
  }

  @Test
  void admin_calls_comeBackEqual() {
    fixture.store.commit(Commit.append(Samples.events(3)));
    DaemonReport report = client.admin().status();
    assertThat(report.store()).isEqualTo(fixture.store.stats());
    assertThat(report.consumers()).isEqualTo(Map.of("toc", 3L));
    assertThat(report.startedAt()).isEqualTo(Instant.ofEpochMilli(9));
    assertThat(client.admin().verify(10)).isEqualTo(fixture.store.verify(10));
    assertThat(client.admin().rebuildToc()).isEqualTo(new RebuildReport(2, 5));
    assertThat(client.admin().scrub(/* dryRun= */ true).events()).isEqualTo(7);
    assertThat(client.admin().scrub(/* dryRun= */ false))
        .isEqualTo(
            new ScrubReport(1, 2, 3, 4, 5, List.of(new ScrubReport.Kind("acme_key", 1, 2, 3, 4))));
  }

  @Test
  void jobs_pauseResumeAndRun_reachTheScheduler() {
    client.jobs().pause(Fixture.ROLLUP);
    assertThat(job(Fixture.ROLLUP).paused()).isTrue();
    client.jobs().resume(Fixture.ROLLUP);
    assertThat(job(Fixture.ROLLUP).paused()).isFalse();
    assertThat(client.jobs().run(Fixture.ROLLUP)).isEqualTo(Map.of("nodes", "4"));
    JobStatus job = job(Fixture.ROLLUP);
    assertThat(job.lastOutcome()).isEqualTo(JobStatus.Outcome.SUCCESS);
    assertThat(job.lastRun()).contains(Fixture.NOW);
    assertThat(job.nextRun()).isEmpty();
  }

  @Test
  void jobs_failedRun_isTold() {
    refused(ErrorCode.INTERNAL, () -> client.jobs().run(Fixture.BROKEN));
    JobStatus job = job(Fixture.BROKEN);
    assertThat(job.lastOutcome()).isEqualTo(JobStatus.Outcome.FAILED);
    assertThat(job.lastError()).contains("disk full");
  }

  @Test
  void jobs_refusedRun_saysWhyAndThatItIsPaused() {
    assertThat(refused(ErrorCode.CONFLICT, () -> client.jobs().run(Fixture.REFUSING)))
        .hasMessageContaining("job refusing has paused itself: no key");
    JobStatus job = job(Fixture.REFUSING);
    assertThat(job.paused()).isTrue();
    assertThat(job.pausedItself()).isTrue();
    assertThat(job.lastError()).contains("no key");
  }

  private JobStatus job(String name) {
    return client.jobs().list().jobs().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void jobs_unknownName_saysWhichThereAre() {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> client.jobs().pause("x"),
            () -> client.jobs().resume("x"),
            () -> client.jobs().run("x"))) {
      assertThat(refused(ErrorCode.NOT_FOUND, call)).hasMessageContaining(Fixture.ROLLUP);
    }
  }

  @Test
  void call_serverGone_isUnreachableWithRemedy() {
    fixture.server.close();
    assertThat(refused(ErrorCode.UNREACHABLE, client::ping)).hasMessageContaining("memory start");
    assertThat(client.serving()).isFalse();
  }

  @Test
  void server_portTaken_saysWhatToDo() {
    RpcConfig taken = RpcConfig.loopback(fixture.server.port(), Optional.empty());
    try (Fixture other = Fixture.open()) {
      MemoryException failure =
          refused(
              ErrorCode.CONFLICT,
              () ->
                  MemoryServer.start(
                      () -> Fixture.NOW,
                      System::nanoTime,
                      taken,
                      OneWorkspace.of(other.inProcess()),
                      Fixture.NO_BACKUPS));
      assertThat(failure).hasMessageContaining("choose another port");
    }
  }
}
