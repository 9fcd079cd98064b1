package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestGrips;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Contract of a store that several workspaces share: the same id in two of them is two ids, and
/// the order is still that of time and ULID.
public abstract class SharedContract extends StoreContract {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  private final SessionId session = new SessionId("s");

  @Test
  void append_sameIdInTwoWorkspaces_isTwoEvents() {
    Event event = TestEvents.message("s", START, "text");
    Event other = TestEvents.withText(event, "other").in(BETA);
    assertThat(append(event, event.in(ALPHA), other))
        .containsExactly(
            new Receipt.Created(event.id()),
            new Receipt.Created(event.id().in(ALPHA)),
            new Receipt.Created(other.id()));
    assertThat(store().events().event(event.id())).hasValue(event);
    assertThat(store().events().event(event.id().in(ALPHA))).hasValue(event.in(ALPHA));
    assertThat(store().events().event(other.id())).hasValue(other);
    assertThat(store().events().events(START, FAR, Optional.empty(), 10))
        .containsExactly(event, event.in(ALPHA), other);
    assertThat(append(event.in(ALPHA), event.in(BETA)))
        .containsExactly(
            new Receipt.AlreadyKnown(event.id().in(ALPHA)), new Receipt.Conflict(other.id()));
  }

  @Test
  void append_sameIdAtAnotherTimeThanItSays_isTwoEvents() {
    EventId id = TestEvents.id(START.minusSeconds(9), 3);
    Event event = TestEvents.withId(TestEvents.message("s", START, "text"), id);
    append(event.in(BETA));
    append(event.in(ALPHA));
    assertThat(store().events().event(id)).isEmpty();
    assertThat(store().events().event(id.in(ALPHA))).hasValue(event.in(ALPHA));
    assertThat(store().events().event(id.in(BETA))).hasValue(event.in(BETA));
  }

  @Test
  void sessions_sameIdInTwoWorkspaces_haveTheirOwnEvents() {
    List<Event> all = TestEvents.messages("s", 4);
    var mixed = new ArrayList<Event>();
    all.forEach(event -> mixed.addAll(List.of(event, event.in(BETA), event.in(ALPHA))));
    append(mixed);
    List<EventKey> keys = all.stream().map(event -> event.in(ALPHA).key()).toList();
    SessionId own = session.in(ALPHA);
    assertThat(store().sessions().eventsAfter(own, Optional.empty(), 3))
        .isEqualTo(keys.subList(0, 3));
    assertThat(store().sessions().eventsAfter(own, Optional.of(keys.get(2)), 3))
        .isEqualTo(keys.subList(3, 4));
    assertThat(store().sessions().eventsBefore(own, keys.get(3), 2)).isEqualTo(keys.subList(1, 3));
    assertThat(store().sessions().sessions(Optional.empty(), 9))
        .extracting(Session::id)
        .containsExactly(own, session.in(BETA), session);
    assertThat(store().sessions().session(own).orElseThrow().first()).isEqualTo(keys.getFirst());
  }

  @Test
  void events_pagesOverEventsOfTheSameId_joinWithoutGapOrRepetition() {
    Event event = TestEvents.message("s", START, "text");
    List<Event> all = List.of(event, event.in(ALPHA), event.in(BETA));
    append(all.reversed());
    var read = new ArrayList<Event>();
    Optional<EventKey> place = Optional.empty();
    for (int i = 0; i < 3; i++) {
      read.addAll(store().events().events(START, FAR, place, 1));
      place = Optional.of(read.getLast().key());
    }
    assertThat(read).isEqualTo(all);
    assertThat(store().events().events(START, FAR, place, 1)).isEmpty();
  }

  @Test
  void keys_ofARange_areThoseOfItsEvents() {
    List<Event> all = TestEvents.messages("s", 3);
    var mixed = new ArrayList<Event>();
    all.forEach(event -> mixed.addAll(List.of(event, event.in(ALPHA))));
    append(mixed);
    List<EventKey> keys = mixed.stream().map(Event::key).toList();
    Instant to = all.getLast().timestamp();
    assertThat(store().events().eventKeys(START, to, Optional.empty(), 9))
        .isEqualTo(keys.subList(0, 4));
    assertThat(store().events().eventKeys(START, FAR, Optional.of(keys.get(2)), 2))
        .isEqualTo(keys.subList(3, 5));
    assertThat(store().events().eventKeys(FAR, FAR, Optional.empty(), 9)).isEmpty();
  }

  @Test
  void segments_sameIdInTwoWorkspaces_areTwo() {
    List<Event> events = TestEvents.messages("s", 3);
    append(events.stream().map(event -> event.in(ALPHA)).toList());
    append(events.stream().map(event -> event.in(BETA)).toList());
    Segment alpha = segment(Boundary.OPEN, events, ALPHA);
    Segment beta = segment(Boundary.OPEN, events, BETA);
    commit(new Change.PutSegment(alpha), new Change.PutSegment(beta));
    assertThat(store().segments().openSegments(FAR, 9)).containsExactlyInAnyOrder(alpha, beta);
    assertThat(store().segments().segmentAt(session.in(ALPHA), events.get(1).key()))
        .hasValue(alpha);
    assertThat(store().segments().segmentsAfter(session.in(BETA), Optional.empty(), 9))
        .containsExactly(beta);
    commit(new Change.PutSegment(segment(Boundary.GAP, events, ALPHA)));
    assertThat(store().segments().openSegments(FAR, 9)).containsExactly(beta);
    commit(new Change.DropSegment(beta.id()));
    assertThat(store().segments().segment(beta.id())).isEmpty();
    assertThat(store().segments().segment(alpha.id())).isPresent();
  }

  @Test
  void trees_ofTwoWorkspaces_standBesideEachOther() {
    for (WorkspaceName workspace : List.of(BETA, ALPHA)) {
      List<Event> events =
          TestEvents.messages("s", 2).stream().map(event -> event.in(workspace)).toList();
      append(events);
      Segment segment = segment(Boundary.GAP, TestEvents.messages("s", 2), workspace);
      Grip grip = TestGrips.grip(segment.node(), events.getFirst());
      store().commit(Commit.of(TestToc.putTree(segment, List.of(grip))));
      assertThat(store().grips().gripsOf(segment.node())).containsExactly(grip.id());
    }
    NodeId day = NodeId.day(LocalDate.of(2026, 1, 30));
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.empty(), 9))
        .containsExactly(day.in(ALPHA), day.in(BETA));
    assertThat(store().toc().nodeIds(TocLevel.DAY, Optional.of(day), 1))
        .containsExactly(day.in(ALPHA));
    assertThat(store().toc().node(day.in(BETA)).orElseThrow().agents()).containsExactly(BETA);
    assertThat(store().toc().versions(day.in(BETA))).containsExactly(1);
    assertThat(store().toc().versions(day)).isEmpty();
  }

  private static Segment segment(Boundary boundary, List<Event> events, WorkspaceName workspace) {
    return TestSegments.segment(
        boundary, events.stream().map(event -> event.in(workspace)).toList());
  }
}
