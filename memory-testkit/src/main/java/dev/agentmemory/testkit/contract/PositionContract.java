package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Contract for events with the same timestamp: they are ordered by position, then by id, and an
/// event that comes without a position gets the next one of its session.
public abstract class PositionContract extends StoreContract {

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  private final SessionId session = new SessionId("s");

  @Test
  void events_withPositions_areInTheirOrder_howeverTheyArrive() {
    List<Event> events = IntStream.range(0, 5).mapToObj(i -> tied(9 - i, i + 1)).toList();
    append(events.get(3), events.get(0), events.get(4), events.get(2), events.get(1));
    List<EventKey> keys = events.stream().map(Event::key).toList();
    assertThat(range(10)).isEqualTo(events);
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10)).isEqualTo(keys);
    assertThat(store().sessions().eventsAfter(session, Optional.of(keys.get(1)), 2))
        .isEqualTo(keys.subList(2, 4));
    assertThat(store().sessions().eventsBefore(session, keys.get(3), 2))
        .isEqualTo(keys.subList(1, 3));
    Session found = store().sessions().session(session).orElseThrow();
    assertThat(found.first()).isEqualTo(keys.getFirst());
    assertThat(found.last()).isEqualTo(keys.getLast());
  }

  @Test
  void events_withoutPositions_keepTheOrderOfTheirArrival() {
    append(tied(9, 0), tied(3, 0));
    append(tied(7, 0));
    append(tied(1, 0));
    List<Event> expected = List.of(tied(9, 1), tied(3, 2), tied(7, 3), tied(1, 4));
    assertThat(range(10)).isEqualTo(expected);
    assertThat(store().events().event(tied(7, 0).id())).hasValue(tied(7, 3));
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10))
        .isEqualTo(expected.stream().map(Event::key).toList());
    assertThat(store().outbox().entries(0, 10))
        .extracting(OutboxEntry::event)
        .isEqualTo(expected.stream().map(Event::key).toList());
  }

  @Test
  void event_withoutAPosition_getsTheOneBehindTheHighest() {
    append(tied(1, 500), tied(2, 20));
    append(tied(3, 0));
    append(TestEvents.message("other", START, "x").withPosition(0));
    assertThat(store().events().event(tied(3, 0).id())).hasValue(tied(3, 501));
    assertThat(store().sessions().eventsAfter(new SessionId("other"), Optional.empty(), 2))
        .extracting(EventKey::position)
        .containsExactly(1L);
  }

  @Test
  void event_behindTheLastPosition_sharesIt() {
    append(tied(1, EventKey.LAST_POSITION));
    append(tied(3, 0), tied(2, 0));
    assertThat(range(10))
        .containsExactly(
            tied(1, EventKey.LAST_POSITION),
            tied(2, EventKey.LAST_POSITION),
            tied(3, EventKey.LAST_POSITION));
  }

  @Test
  void event_againWithAnotherPosition_isKnown_andStaysWhereItIs() {
    Event event = tied(5, 7);
    append(event, tied(6, 0));
    for (long position : new long[] {0, 7, 12}) {
      assertThat(append(event.withPosition(position)))
          .containsExactly(new Receipt.AlreadyKnown(event.id()));
    }
    assertThat(append(TestEvents.withText(event, "other")))
        .containsExactly(new Receipt.Conflict(event.id()));
    assertThat(range(10)).containsExactly(event, tied(6, 8));
    append(tied(4, 0));
    assertThat(store().events().event(tied(4, 0).id())).hasValue(tied(4, 9));
  }

  @Test
  void events_byKeys_needNoPosition() {
    append(tied(1, 7));
    EventKey bare = new EventKey(START, tied(1, 0).id());
    assertThat(store().events().events(List.of(bare))).containsExactly(tied(1, 7));
    assertThat(store().events().events(List.of(bare), 0).events()).containsExactly(tied(1, 7));
    EventKey elsewhere = new EventKey(START.plusMillis(1), bare.id());
    assertThat(store().events().events(List.of(elsewhere))).isEmpty();
  }

  @Seeds(8)
  void ranges_manyOfOneMillisecond_joinWithoutGapOrRepetition(RandomGenerator random) {
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      Event event = tied(i, 1 + random.nextInt(30));
      all.add(random.nextInt(8) == 0 ? moved(event, random.nextInt(-1, 2)) : event);
    }
    Collections.shuffle(all, random);
    append(all);
    all.sort((one, other) -> one.key().compareTo(other.key()));
    int limit = 1 + random.nextInt(50);
    List<Event> read = new ArrayList<>();
    List<EventKey> keys = new ArrayList<>();
    List<Event> page;
    do {
      Optional<EventKey> after =
          read.isEmpty() ? Optional.empty() : Optional.of(read.getLast().key());
      page = store().events().events(Instant.EPOCH, FAR, after, limit);
      assertThat(page).hasSizeLessThanOrEqualTo(limit);
      read.addAll(page);
      keys.addAll(store().events().eventKeys(Instant.EPOCH, FAR, after, limit));
    } while (!page.isEmpty());
    assertThat(read).isEqualTo(all);
    assertThat(keys).isEqualTo(all.stream().map(Event::key).toList());
  }

  @Test
  void segments_ofOneMillisecond_areFoundByTheirPlaces() {
    List<Event> events = IntStream.range(0, 4).mapToObj(i -> tied(9 - i, i + 1)).toList();
    append(events);
    Segment first = TestSegments.segment(Boundary.TOKENS, events.subList(0, 2));
    Segment second = TestSegments.segment(Boundary.OPEN, events.subList(2, 4));
    commit(new Change.PutSegment(second), new Change.PutSegment(first));
    assertThat(store().segments().segmentsAfter(session, Optional.empty(), 9))
        .containsExactly(first, second);
    assertThat(store().segments().segmentsAfter(session, Optional.of(first.first()), 9))
        .containsExactly(second);
    assertThat(store().segments().segmentAt(session, events.get(1).key())).hasValue(first);
    assertThat(store().segments().segmentAt(session, events.get(3).key())).hasValue(second);
    commit(new Change.DropSegment(second.id()));
    assertThat(store().segments().segmentAt(session, events.get(3).key())).hasValue(first);
  }

  private List<Event> range(int limit) {
    return store().events().events(START, START.plusMillis(1), Optional.empty(), limit);
  }

  private static Event moved(Event event, long millis) {
    return new Event(
        event.id(),
        event.session(),
        event.timestamp().plusMillis(millis),
        event.type(),
        event.role(),
        event.text(),
        event.metadata(),
        event.agent(),
        event.position());
  }

  /// An event of the same session and time as all others; its id contains the number.
  private static Event tied(int number, long position) {
    EventId id = TestEvents.id(START, number);
    return TestEvents.withId(TestEvents.message("s", START, "text " + number), id)
        .withPosition(position);
  }
}
