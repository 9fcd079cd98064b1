package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.EventSlice;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Contract of the readers of events and sessions.
public abstract class LogContract extends StoreContract {

  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");

  private final SessionId session = new SessionId("s");

  @Test
  void readers_emptyStore_findNothing() {
    EventKey key = TestEvents.message("s", START, "x").key();
    assertThat(store().events().event(key.id())).isEmpty();
    assertThat(store().events().events(List.of(key))).isEmpty();
    assertThat(store().events().events(Instant.EPOCH, FAR, Optional.empty(), 10)).isEmpty();
    assertThat(store().sessions().session(session)).isEmpty();
    assertThat(store().sessions().sessions(Optional.empty(), 10)).isEmpty();
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10)).isEmpty();
    assertThat(store().sessions().eventsBefore(session, key, 10)).isEmpty();
  }

  @Test
  void events_range_isHalfOpenAndInTimeOrder() {
    List<Event> all = TestEvents.messages("s", 5);
    append(all.reversed());
    Instant from = all.get(1).timestamp();
    Instant to = all.get(3).timestamp();
    assertThat(store().events().events(from, to, Optional.empty(), 10))
        .containsExactly(all.get(1), all.get(2));
    assertThat(store().events().events(to, from, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void events_pages_joinWithoutGapOrRepetition() {
    List<Event> all = TestEvents.messages("s", 5);
    append(all);
    var first = store().events().events(Instant.EPOCH, FAR, Optional.empty(), 2);
    var second = store().events().events(Instant.EPOCH, FAR, Optional.of(first.getLast().key()), 2);
    var third = store().events().events(Instant.EPOCH, FAR, Optional.of(second.getLast().key()), 2);
    var end = store().events().events(Instant.EPOCH, FAR, Optional.of(third.getLast().key()), 2);
    assertThat(first).containsExactlyElementsOf(all.subList(0, 2));
    assertThat(second).containsExactlyElementsOf(all.subList(2, 4));
    assertThat(third).containsExactlyElementsOf(all.subList(4, 5));
    assertThat(end).isEmpty();
  }

  @Test
  void events_afterPlaceBeforeTheRange_startsWithTheRange() {
    List<Event> all = TestEvents.messages("s", 3);
    append(all);
    Instant from = all.get(1).timestamp();
    assertThat(store().events().events(from, FAR, Optional.of(all.getFirst().key()), 10))
        .containsExactlyElementsOf(all.subList(1, 3));
  }

  @Test
  void events_sameMillisecond_areOrderedById() {
    Event a = TestEvents.withId(TestEvents.message("s", START, "a"), TestEvents.id(START, 2));
    Event b = TestEvents.withId(TestEvents.message("s", START, "b"), TestEvents.id(START, 1));
    append(a, b);
    assertThat(store().events().events(START, START.plusMillis(1), Optional.empty(), 10))
        .containsExactly(b, a);
  }

  @Test
  void events_byKeys_keepTheirOrderAndLeaveOutTheAbsent() {
    List<Event> all = TestEvents.messages("s", 3);
    append(all);
    EventKey absent = TestEvents.message("s", START, "absent").key();
    assertThat(store().events().events(List.of(all.get(2).key(), absent, all.get(0).key())))
        .containsExactly(all.get(2), all.get(0));
  }

  @Test
  void events_byKeysWithinABound_areTheFirstThatFitAndAtLeastOne() {
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Event event = TestEvents.message("s", START.plusSeconds(i), "%02d".formatted(i).repeat(50));
      all.add(TestEvents.from(event, "agent", Map.of("cwd", "x".repeat(97))));
    }
    append(all);
    List<EventKey> keys = new ArrayList<>(all.stream().map(Event::key).toList());
    assertThat(all.getFirst().chars()).isEqualTo(200);

    EventSlice most = store().events().events(keys, 2_199);
    assertThat(most.events()).isEqualTo(all.subList(0, 10));
    assertThat(most.keys()).isEqualTo(10);
    assertThat(store().events().events(keys, 2_200).keys()).isEqualTo(11);
    assertThat(store().events().events(keys, 0).events()).containsExactly(all.getFirst());
    assertThat(store().events().events(keys, Long.MAX_VALUE)).isEqualTo(new EventSlice(all, 20));
  }

  @Test
  void events_byKeysWithinABound_stepOverTheAbsent() {
    List<Event> all = TestEvents.messages("s", 2);
    append(all);
    EventKey absent = TestEvents.message("s", START, "absent").key();
    List<EventKey> keys = List.of(absent, all.get(0).key(), absent, all.get(1).key(), absent);
    EventSlice first = store().events().events(keys, 0);
    assertThat(first).isEqualTo(new EventSlice(all.subList(0, 1), 3));
    EventSlice rest = store().events().events(keys.subList(first.keys(), keys.size()), 0);
    assertThat(rest).isEqualTo(new EventSlice(all.subList(1, 2), 2));
    assertThat(store().events().events(List.of(absent), 0)).isEqualTo(new EventSlice(List.of(), 1));
    assertThat(store().events().events(List.of(), 0)).isEqualTo(new EventSlice(List.of(), 0));
  }

  @Test
  void events_limitBelowOne_isRefused() {
    assertThatThrownBy(() -> store().events().events(Instant.EPOCH, FAR, Optional.empty(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void session_interleavedWithAnother_knowsItsOwn() {
    List<Event> mine = TestEvents.messages("s", 3);
    List<Event> others = TestEvents.messages("s2", 2);
    append(mine.get(0), others.get(0), mine.get(1), others.get(1), mine.get(2));
    Session found = store().sessions().session(session).orElseThrow();
    assertThat(found.first()).isEqualTo(mine.getFirst().key());
    assertThat(found.last()).isEqualTo(mine.getLast().key());
    assertThat(found.events()).isEqualTo(3);
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10))
        .containsExactlyElementsOf(mine.stream().map(Event::key).toList());
  }

  @Test
  void session_endThenLateEvent_isStillEnded() {
    Event end = TestEvents.end("s", START.plusSeconds(600));
    append(end);
    append(TestEvents.messages("s", 2));
    assertThat(store().sessions().session(session).orElseThrow().ended()).isTrue();
  }

  @Test
  void session_eventAfterTheEnd_isOpenAgain() {
    append(TestEvents.end("s", START));
    append(TestEvents.message("s", START.plusSeconds(1), "more"));
    assertThat(store().sessions().session(session).orElseThrow().ended()).isFalse();
  }

  @Test
  void sessions_pages_goByTheBytesOfTheId() {
    // U+FF61 sorts before the crab by its UTF-8 bytes, and after it by its UTF-16 code units.
    List<String> ids = List.of("a", "a b", "ab", "b", "\uFF61", "\uD83E\uDD80");
    ids.reversed().forEach(id -> append(TestEvents.message(id, START, "x")));
    var first = store().sessions().sessions(Optional.empty(), 4);
    var rest = store().sessions().sessions(Optional.of(first.getLast().id()), 4);
    assertThat(first).extracting(s -> s.id().value()).containsExactlyElementsOf(ids.subList(0, 4));
    assertThat(rest).extracting(s -> s.id().value()).containsExactlyElementsOf(ids.subList(4, 6));
  }

  @Test
  void eventsAfter_pages_joinWithoutGapOrRepetition() {
    List<EventKey> keys = TestEvents.messages("s", 4).stream().map(Event::key).toList();
    append(TestEvents.messages("s", 4));
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 3))
        .containsExactlyElementsOf(keys.subList(0, 3));
    assertThat(store().sessions().eventsAfter(session, Optional.of(keys.get(2)), 3))
        .containsExactly(keys.get(3));
    assertThat(store().sessions().eventsAfter(session, Optional.of(keys.get(3)), 3)).isEmpty();
  }

  @Test
  void eventsBefore_place_givesTheNearestInTimeOrder() {
    List<EventKey> keys = TestEvents.messages("s", 4).stream().map(Event::key).toList();
    append(TestEvents.messages("s", 4));
    append(TestEvents.messages("r", 4));
    assertThat(store().sessions().eventsBefore(session, keys.get(3), 2))
        .containsExactlyElementsOf(keys.subList(1, 3));
    assertThat(store().sessions().eventsBefore(session, keys.get(1), 5))
        .containsExactly(keys.getFirst());
    assertThat(store().sessions().eventsBefore(session, keys.get(0), 5)).isEmpty();
  }

  @Test
  void eventsAfter_idThatBeginsLikeAnother_doesNotMixThem() {
    append(TestEvents.messages("s", 2));
    append(TestEvents.messages("s:1", 2));
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10)).hasSize(2);
    assertThat(store().sessions().eventsAfter(new SessionId("s:1"), Optional.empty(), 10))
        .hasSize(2);
  }
}
