package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.ModelUsage;
import dev.agentmemory.api.SegmentPage;
import dev.agentmemory.api.contents.NodeChildren;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.contents.NodeScope;
import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.search.YearActivity;
import dev.agentmemory.api.transcript.SessionPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.api.transcript.TranscriptRequest.Start;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What holds for every [Memory], in this process and over gRPC. Both answer from the same store.
abstract class MemoryContract {
  private static final NodeScope ALL_YEARS = new NodeScope(Optional.empty(), Optional.empty());

  private static final Instant FIRST = Instant.ofEpochMilli(Samples.START);
  private static final Instant END = Instant.ofEpochMilli(Samples.START + 1_000_000);

  final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  abstract Memory memory();

  private static MemoryException refused(ErrorCode code, ThrowingCallable call) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    return refusal;
  }

  private static <T> List<T> all(int limit, Function<PageRequest, Page<T>> read) {
    return Page.stream(PageRequest.of(limit), read).toList();
  }

  @Test
  void append_answersEachEventInOrder() {
    Event known = Samples.event(1);
    memory().ingest().append(known);
    Event other = Samples.event(1, Samples.START + 1, "other words");
    List<Event> events = List.of(Samples.event(2), Samples.tooFarAhead(3), known, other);
    List<Receipt> receipts = memory().ingest().append(events).join();
    assertThat(receipts)
        .extracting(Receipt::event)
        .isEqualTo(events.stream().map(Event::id).toList());
    assertThat(receipts.get(0)).isInstanceOf(Receipt.Created.class);
    assertThat(receipts.get(1))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> assertThat(refusal.why().field()).hasValue("event.timestamp_ms"));
    assertThat(receipts.get(2)).isInstanceOf(Receipt.AlreadyKnown.class);
    assertThat(receipts.get(3)).isInstanceOf(Receipt.Conflict.class);
    assertThat(fixture.store.stats().events()).isEqualTo(2);
  }

  @Test
  void append_oneEventThatIsRefused_failsNamingTheField() {
    MemoryException refusal =
        refused(ErrorCode.INVALID_FIELD, () -> memory().ingest().append(Samples.tooFarAhead(1)));
    assertThat(refusal.field()).hasValue("event.timestamp_ms");
  }

  @Test
  void events_comeBackAsTheyWereSent_pageByPage() {
    List<Event> sent = Samples.events(23);
    memory().ingest().append(sent).join();
    assertThat(all(5, page -> memory().events().between(FIRST, END, page))).isEqualTo(sent);
    assertThat(all(100, page -> memory().events().between(FIRST.plusMillis(2), END, page)))
        .isEqualTo(sent.subList(2, 23));
    assertThat(memory().events().between(END, FIRST, PageRequest.first()).items()).isEmpty();
  }

  @Test
  void event_isFoundByItsId() {
    Event sent = Samples.event(1);
    memory().ingest().append(sent);
    assertThat(memory().events().event(sent.id())).contains(sent);
    assertThat(memory().events().event(Samples.id(2))).isEmpty();
  }

  @Test
  void page_ofAnotherRange_isRefused() {
    memory().ingest().append(Samples.events(3)).join();
    PageRequest first = PageRequest.of(1);
    PageRequest next = first.after(memory().events().between(FIRST, END, first));
    refused(
        ErrorCode.INVALID_TOKEN, () -> memory().events().between(END, END.plusSeconds(1), next));
    refused(ErrorCode.INVALID_TOKEN, () -> memory().sessions().list(next));
  }

  @Test
  void anyRangeOfTime_isTakenAsTheNearestThatEventsCanHave() {
    List<Event> sent = Samples.events(5);
    memory().ingest().append(sent).join();
    assertThat(all(2, page -> memory().events().between(Instant.MIN, Instant.MAX, page)))
        .isEqualTo(sent);
    assertThat(memory().events().between(Instant.MAX, Instant.MIN, PageRequest.first()).items())
        .isEmpty();
    Instant withinMillisecond = FIRST.plusNanos(999_999);
    assertThat(all(1, page -> memory().events().between(withinMillisecond, END, page)))
        .as("the next page of a range that begins within a millisecond")
        .isEqualTo(sent);
    assertThat(memory().sessions().segments(Instant.MIN, Instant.MAX, PageRequest.first()).items())
        .isEmpty();
  }

  @Test
  void sessions_areListedByIdAndFoundOneByOne() {
    memory().ingest().append(Samples.events(9)).join();
    assertThat(all(2, page -> memory().sessions().list(page)))
        .extracting(session -> session.id().value())
        .containsExactly("s0", "s1", "s2");
    assertThat(memory().sessions().session(new SessionId("s1")).events()).isEqualTo(3);
    refused(ErrorCode.NOT_FOUND, () -> memory().sessions().session(new SessionId("s9")));
  }

  @Test
  void sessions_areListedByTheirLatestEvent_andByWhoStartedThem() {
    memory().ingest().append(Samples.events(9)).join();
    List<Session> byId = all(2, memory().sessions()::list);
    List<Session> latest = all(2, memory().sessions()::latest);
    assertThat(latest).containsExactlyInAnyOrderElementsOf(byId);
    assertThat(latest)
        .isSortedAccordingTo(
            Comparator.comparing((Session one) -> one.last().timestamp()).reversed());
    SessionId parent = byId.getFirst().id();
    Event ofSubagent = Samples.event(77).withSession(new SessionId(parent.value() + ":agent"));
    memory().ingest().append(List.of(ofSubagent)).join();
    assertThat(all(1, page -> memory().sessions().startedBy(parent, page)))
        .extracting(Session::id)
        .containsExactly(ofSubagent.session());
  }

  @Test
  void transcript_isReadInParts_inBothDirections() {
    List<Event> sent = Samples.session(23, "turn");
    memory().ingest().append(sent).join();
    TranscriptRequest request = TranscriptRequest.of(sent.getFirst().session()).withLimit(10);
    SessionPart first = memory().sessions().transcript(request);
    assertThat(first.events()).isEqualTo(sent.subList(0, 10));
    SessionPart second =
        memory().sessions().transcript(request.at(new Start.Behind(first.next().orElseThrow())));
    assertThat(second.events()).isEqualTo(sent.subList(10, 20));
    assertThat(second.firstIndex()).isEqualTo(10);
    assertThat(second.eventCount()).isEqualTo(23);
    SessionPart back =
        memory()
            .sessions()
            .transcript(request.at(new Start.AtEvent(sent.get(12).id())).goingBack());
    assertThat(back.events()).isEqualTo(sent.subList(3, 13));
    refused(
        ErrorCode.NOT_FOUND,
        () -> memory().sessions().transcript(TranscriptRequest.of(new SessionId("unknown"))));
  }

  @Test
  void segments_areListedFoundByTimeAndReadWithTheirEvents() {
    List<Event> events = Samples.session(6, "text");
    fixture.store.commit(Commit.append(events));
    Segment alone = TestSegments.segment(Boundary.OPEN, events.subList(2, 6));
    var segment =
        new Segment(
            alone.id(),
            alone.session(),
            alone.node(),
            alone.entries(),
            List.of(events.get(0).key(), events.get(1).key()),
            alone.boundary());
    fixture.store.commit(Commit.of(new Change.PutSegment(segment)));
    SessionId session = segment.session();
    assertThat(all(1, page -> memory().sessions().segments(session, page)))
        .extracting(outline -> outline.id())
        .containsExactly(segment.id());
    SegmentPage page = memory().sessions().segment(segment.id(), PageRequest.first());
    assertThat(page.overlap()).isEqualTo(events.subList(0, 2));
    assertThat(page.events()).isEqualTo(events.subList(2, 6));
    assertThat(page.token()).isEmpty();
    assertThat(memory().sessions().segments(new SessionId("s9"), PageRequest.first()).items())
        .isEmpty();
    var unknown = new SegmentId(new EventId("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    refused(ErrorCode.NOT_FOUND, () -> memory().sessions().segment(unknown, PageRequest.first()));
  }

  @Test
  void contents_areBrowsedFromTheYears() {
    fixture.put(Stream.of(2024, 2025, 2026).map(Samples::year).toArray(TocNode[]::new));
    assertThat(memory().contents().root())
        .extracting(TocNode::id)
        .containsExactly(NodeId.year(2026), NodeId.year(2025), NodeId.year(2024));
    assertThat(all(2, page -> memory().contents().years(page)))
        .extracting(TocNode::id)
        .containsExactly(NodeId.year(2024), NodeId.year(2025), NodeId.year(2026));
    assertThat(memory().contents().node(NodeId.year(2025))).isPresent();
    assertThat(memory().contents().node(NodeId.year(1999))).isEmpty();
    assertThat(memory().contents().children(NodeId.year(1999), PageRequest.first()).items())
        .isEmpty();
    assertThat(memory().contents().newest(5))
        .containsExactly(new NodeChildren(NodeId.year(2026), new Page<>(List.of(), "")));
  }

  @Test
  void contents_areSearchedForWords() {
    fixture.put(Samples.year(2025), Samples.year(2026));
    NodeQuery jitter = NodeQuery.of("jitter");
    assertThat(memory().contents().searchNode(NodeId.year(2026), jitter)).isNotEmpty();
    assertThat(memory().contents().search(ALL_YEARS, jitter).nodes()).hasSize(2);
    assertThat(memory().contents().search(ALL_YEARS, jitter.withLimit(1)).more()).isTrue();
    refused(ErrorCode.NOT_FOUND, () -> memory().contents().searchNode(NodeId.year(1999), jitter));
  }

  @Test
  void grip_isExpandedToItsEventsAndWhatWasSaidAround() {
    List<Event> session = Samples.session(5, "text");
    fixture.putGrip(session, session.get(2));
    var context = memory().contents().expand(Samples.grip(1), 1, 2).orElseThrow();
    assertThat(context.before()).isEqualTo(session.subList(1, 2));
    assertThat(context.excerpt()).isEqualTo(session.subList(2, 3));
    assertThat(context.after()).isEqualTo(session.subList(3, 5));
    assertThat(memory().contents().expand(Samples.grip(2), 1, 1)).isEmpty();
  }

  @Test
  void versions_areListedNewestFirstAndGoneBackTo() {
    Event on = Samples.event(0);
    fixture.putGrip(List.of(on), on);
    NodeId year = NodeId.year(2026);
    fixture.put(Samples.node(year, FIRST, "first"));
    fixture.put(
        Samples.node(year, FIRST, "second")
            .withEdition(new Edition(2, FIRST, false, "extractive")));
    NodeVersions versions = memory().contents().versions(year, 0, 0);
    assertThat(versions.versions())
        .extracting(node -> node.edition().version())
        .containsExactly(2, 1);
    assertThat(memory().contents().versions(year, 0, 1).more()).isTrue();
    assertThat(memory().contents().version(year, 1).bullets().getFirst().text()).isEqualTo("first");
    assertThat(memory().contents().revert(year, 1).changed()).isTrue();
    assertThat(memory().contents().node(year).orElseThrow().bullets().getFirst().text())
        .isEqualTo("first");
    refused(ErrorCode.NOT_FOUND, () -> memory().contents().version(year, 9));
    assertThat(refused(ErrorCode.INVALID_FIELD, () -> memory().contents().version(year, 0)).field())
        .hasValue("version");
    refused(ErrorCode.NOT_FOUND, () -> memory().contents().versions(NodeId.year(1999), 0, 0));
  }

  @Test
  void search_findsWhatWasSaid() {
    memory().ingest().append(Samples.event(1, Samples.START, "retry with jitter"));
    var answer = memory().search().search(SearchRequest.of("jitter", 5, Fixture.NOW));
    assertThat(answer.hits()).hasSize(1);
    assertThat(answer.hits().getFirst().event().orElseThrow().id()).isEqualTo(Samples.id(1));
  }

  @Test
  void activity_isTheEventsOfEachDay() {
    memory().ingest().append(Samples.events(3)).join();
    Instant now = FIRST.plusSeconds(60);
    YearActivity activity =
        memory().search().activity(new ActivityRequest(OptionalInt.empty(), now));
    assertThat(activity.year()).isEqualTo(2026);
    assertThat(activity.complete()).isTrue();
    assertThat(activity.days()).hasSize(1);
    assertThat(activity.total().events()).isEqualTo(3);
    assertThat(activity.years()).contains(new YearActivity.Years(2026, 2026));
    MemoryException refusal =
        refused(
            ErrorCode.INVALID_FIELD,
            () -> memory().search().activity(new ActivityRequest(OptionalInt.of(1969), now)));
    assertThat(refusal.field()).hasValue("year");
  }

  @Test
  void search_thatExplainsItself_tellsWhatItLookedThrough() {
    memory().ingest().append(Samples.events(3)).join();
    var request = SearchRequest.of("message", 10, FIRST);
    assertThat(memory().search().search(request).coverage()).isEmpty();
    assertThat(memory().search().search(request.withExplain(true)).coverage())
        .hasValueSatisfying(coverage -> assertThat(coverage.searched()).isEqualTo(3));
  }

  @Test
  void questions_thatNobodyMayAsk_areRefusedNamingTheField() {
    refusedQuestion("query", "is empty; give at least one search term", " ", Filters.NONE);
    refusedQuestion("query", "is 4097 characters long", "x".repeat(4097), Filters.NONE);
    refusedQuestion(
        "filters.before_ms",
        "is not later than after_ms",
        "x",
        Filters.NONE.withAfter(END).withBefore(END.plusNanos(1)));
    refusedQuestion(
        "filters.tags", "has a comma in `a,b`", "x", Filters.NONE.withTags(Set.of("a,b")));
    refusedQuestion("filters.tags", "is blank", "x", Filters.NONE.withTags(Set.of(" ")));
  }

  private void refusedQuestion(String field, String text, String query, Filters filters) {
    List<ThrowingCallable> questions =
        List.of(
            () ->
                memory()
                    .search()
                    .search(SearchRequest.of(query, 5, Fixture.NOW).withFilters(filters)),
            () ->
                memory()
                    .search()
                    .context(ContextRequest.of(query, 50, Fixture.NOW).withFilters(filters)));
    for (ThrowingCallable question : questions) {
      MemoryException refusal = refused(ErrorCode.INVALID_FIELD, question);
      assertThat(refusal.field()).hasValue(field);
      assertThat(refusal).hasMessageStartingWith(field + ": ").hasMessageContaining(text);
    }
  }

  @Test
  void whatIsTypedIntoAQuery_isNeverRefused() {
    memory().ingest().append(Samples.event(1, Samples.START, "retry with jitter"));
    for (String query : List.of("jitter tag:a,b", "jitter after:2026-02-01 before:2026-01-01")) {
      var answer = memory().search().search(SearchRequest.of(query, 5, Fixture.NOW));
      assertThat(answer.hits()).as(query).isEmpty();
      assertThat(answer.nothingBecause()).as(query).isPresent();
    }
  }

  @Test
  void nodeQuery_thatIsBlank_isRefusedNamingTheField() {
    MemoryException refusal =
        refused(
            ErrorCode.INVALID_FIELD,
            () -> memory().contents().search(ALL_YEARS, NodeQuery.of(" ")));
    assertThat(refusal).hasMessage("query: is empty; it is required");
  }

  @Test
  void jobs_areListedPausedResumedAndRun() {
    memory().jobs().pause(Fixture.ROLLUP);
    assertThat(memory().jobs().list().jobs())
        .filteredOn(job -> job.name().equals(Fixture.ROLLUP))
        .allSatisfy(job -> assertThat(job.paused()).isTrue());
    memory().jobs().resume(Fixture.ROLLUP);
    assertThat(memory().jobs().run(Fixture.ROLLUP)).containsEntry("nodes", "4");
    assertThat(refused(ErrorCode.NOT_FOUND, () -> memory().jobs().pause("nonsense")))
        .hasMessageContaining(Fixture.ROLLUP);
    assertThat(refused(ErrorCode.NOT_FOUND, () -> memory().jobs().run("nonsense")))
        .hasMessageContaining(Fixture.ROLLUP);
  }

  @Test
  void reports_tellOfTheStore() {
    memory().ingest().append(Samples.events(4)).join();
    assertThat(memory().admin().status().store().events()).isEqualTo(4);
    assertThat(memory().admin().verify(0)).isEmpty();
    assertThat(memory().admin().modelUsage(0).days()).isEqualTo(30);
    assertThat(
            refused(
                    ErrorCode.INVALID_FIELD,
                    () -> memory().admin().modelUsage(ModelUsage.MOST_DAYS + 1))
                .field())
        .hasValue("days");
  }
}
