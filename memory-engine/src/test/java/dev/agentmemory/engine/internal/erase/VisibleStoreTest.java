package dev.agentmemory.engine.internal.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Pages of a store of which an erasure removes most: they are as full as without these events, and
/// no place is passed over.
class VisibleStoreTest {

  private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");
  private static final SessionId LONG = new SessionId("long");
  private static final int EVENTS = 60;
  private static final int LIMIT = 4;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Withheld withheld = new Withheld();
  private final VisibleStore visible = new VisibleStore(store, withheld);
  private final List<EventKey> all = new ArrayList<>();
  private final List<EventKey> left = new ArrayList<>();

  @BeforeEach
  void mostIsErased() {
    for (int i = 0; i < EVENTS; i++) {
      append(TestEvents.message(LONG.value(), TestEvents.START.plusSeconds(i), "turn " + i));
    }
    for (int i = 0; i < EVENTS; i++) {
      append(TestEvents.message("session-%02d".formatted(i), TestEvents.START, "hello " + i));
    }
    all.addAll(store.sessions().eventsAfter(LONG, Optional.empty(), 2 * EVENTS));
    Set<EventKey> erased =
        Set.copyOf(all.stream().filter(key -> !isLeft(all.indexOf(key))).toList());
    all.stream().filter(key -> !erased.contains(key)).forEach(left::add);
    Set<SessionId> whole =
        store.sessions().sessions(Optional.empty(), 2 * EVENTS).stream()
            .map(Session::id)
            .filter(id -> !id.value().endsWith("7") && !id.equals(LONG))
            .collect(Collectors.toSet());
    withheld.withhold(
        new ErasurePlan(
            ForgetReceipt.planned(TestEvents.START, "", 0, 0, 0, Map.of()),
            Optional.empty(),
            /* all= */ false,
            /* barred= */ true,
            /* memoriesStay= */ false,
            Map.of(LONG, erased),
            whole,
            Set.of(),
            new TreeSet<>()),
        Set.of());
  }

  /// Few, with long runs of others between them, at both ends as well.
  private static boolean isLeft(int number) {
    return number > 10 && number < 50 && number % 7 < 2;
  }

  private void append(Event event) {
    var _ = store.commit(Commit.of(new Change.AppendEvent(event)));
  }

  @Test
  void eventsOfATime_areReadInFullPages() {
    List<EventKey> found = new ArrayList<>();
    Instant from = TestEvents.START.plusSeconds(1);
    List<Event> page = visible.events(from, END, Optional.empty(), LIMIT);
    while (!page.isEmpty()) {
      page.forEach(event -> found.add(event.key()));
      assertThat(page.size() == LIMIT || found.size() == left.size()).isTrue();
      page = visible.events(from, END, Optional.of(found.getLast()), LIMIT);
    }
    assertThat(found).isEqualTo(left);
    assertThat(visible.eventKeys(from, END, Optional.empty(), EVENTS)).isEqualTo(left);
    assertThat(visible.eventKeys(from, END, Optional.empty(), LIMIT))
        .isEqualTo(left.subList(0, LIMIT));
  }

  @Test
  void eventsOfASession_areReadInFullPages_inBothDirections() {
    assertThat(visible.eventsAfter(LONG, Optional.empty(), LIMIT))
        .isEqualTo(left.subList(0, LIMIT));
    assertThat(visible.eventsAfter(LONG, Optional.of(left.get(2)), LIMIT))
        .isEqualTo(left.subList(3, 3 + LIMIT));
    assertThat(visible.eventsBefore(LONG, all.getLast(), LIMIT))
        .isEqualTo(left.subList(left.size() - LIMIT, left.size()));
    assertThat(visible.eventsBefore(LONG, left.get(2), LIMIT)).isEqualTo(left.subList(0, 2));
  }

  @Test
  void slice_endsBehindTheLastEventThatWasRead() {
    List<EventKey> rest = all;
    List<EventKey> found = new ArrayList<>();
    while (!rest.isEmpty()) {
      EventSlice slice = visible.events(rest, 1);
      slice.events().forEach(event -> found.add(event.key()));
      assertThat(slice.keys()).isPositive();
      rest = rest.subList(slice.keys(), rest.size());
    }
    assertThat(found).isEqualTo(left);
    assertThat(visible.events(all)).extracting(Event::key).isEqualTo(left);
  }

  @Test
  void sessions_areReadInFullPages() {
    assertThat(visible.sessions(Optional.empty(), LIMIT))
        .extracting(session -> session.id().value())
        .containsExactly("long", "session-07", "session-17", "session-27");
    assertThat(visible.session(new SessionId("session-01"))).isEmpty();
    assertThat(visible.session(new SessionId("session-07"))).isPresent();
  }

  @Test
  void afterTheErasure_everythingThatIsStoredIsRead() {
    withheld.release();
    assertThat(visible.eventsAfter(LONG, Optional.empty(), 2 * EVENTS)).isEqualTo(all);
    assertThat(visible.event(all.getFirst().id())).isPresent();
  }
}
