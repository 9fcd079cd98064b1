package dev.agentmemory.testkit.contract;

import static dev.agentmemory.testkit.TestEvents.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract of erased events and of former versions that are dropped.
public abstract class ErasureContract extends StoreContract {

  private static final String LONG =
      "The retry policy of the payment gateway is exponential backoff with jitter, at most five.";

  private final SessionId session = new SessionId("s");

  private void erase(Event event, boolean barred) {
    commit(new Change.EraseEvent(event.session(), event.key(), barred));
  }

  private Event stored(Event event) {
    return store().events().event(event.id()).orElseThrow();
  }

  @Test
  void erasedEvent_isNowhere_andConsumersFollow() {
    List<Event> events = TestEvents.messages("s", 3);
    append(events);
    Event middle = stored(events.get(1));

    erase(middle, /* barred= */ true);

    assertThat(store().events().event(middle.id())).isEmpty();
    assertThat(store().events().events(List.of(middle.key()))).isEmpty();
    assertThat(store().sessions().eventsAfter(session, Optional.empty(), 10))
        .containsExactly(stored(events.get(0)).key(), stored(events.get(2)).key());
    assertThat(store().stats().events()).isEqualTo(2);
    assertThat(store().outbox().entries(3, 10))
        .extracting(entry -> entry.event().id())
        .containsExactly(middle.id());
  }

  @Test
  void erasedAgain_changesNothing() {
    List<Event> events = TestEvents.messages("s", 2);
    append(events);
    Event first = stored(events.get(0));
    erase(first, /* barred= */ true);
    erase(first, /* barred= */ true);
    commit(
        new Change.EraseEvent(session, stored(events.get(1)).key(), true),
        new Change.EraseEvent(session, stored(events.get(1)).key(), true));
    assertThat(store().stats().events()).isZero();
    assertThat(store().outbox().entries(0, 10)).extracting(OutboxEntry::sequence).hasSize(4);
  }

  @Test
  void firstAndLast_leaveASessionOfTheRest() {
    List<Event> events = TestEvents.messages("s", 4);
    append(events);
    append(TestEvents.end("s", START.plusSeconds(3600)));
    Event first = stored(events.get(0));
    Event last = TestEvents.end("s", START.plusSeconds(3600));
    commit(
        new Change.EraseEvent(session, first.key(), true),
        new Change.EraseEvent(session, stored(last).key(), true));
    Session left = store().sessions().session(session).orElseThrow();
    assertThat(left.events()).isEqualTo(3);
    assertThat(left.first()).isEqualTo(stored(events.get(1)).key());
    assertThat(left.last()).isEqualTo(stored(events.get(3)).key());
    assertThat(left.ended()).isFalse();
  }

  @Test
  void lastEvent_takesItsSessionWithIt_andTheSessionCanBeginAgain() {
    Event event = TestEvents.message("s", START, LONG);
    append(event);
    erase(stored(event), /* barred= */ true);
    assertThat(store().sessions().session(session)).isEmpty();
    assertThat(store().sessions().sessions(Optional.empty(), 10)).isEmpty();
    append(TestEvents.message("s", START.plusSeconds(60), "Something else."));
    assertThat(store().sessions().session(session)).map(Session::events).contains(1L);
  }

  @Test
  void eventOfAnotherTimeThanItsId_isErasedWithItsId() {
    Event event =
        TestEvents.withId(
            TestEvents.message("s", START, "imported"), TestEvents.id(START.plusSeconds(999), 7));
    append(event);
    erase(stored(event), /* barred= */ true);
    assertThat(store().events().event(event.id())).isEmpty();
  }

  @Test
  void sameEvent_isNotStoredAgain() {
    Event event = TestEvents.message("s", START, "hi");
    append(event);
    erase(stored(event), /* barred= */ false);
    assertThat(store().wasErased(event)).isTrue();
    assertThat(store().wasErased(TestEvents.message("t", START, "other"))).isFalse();
    assertThat(append(event)).containsExactly(new Receipt.Erased(event.id()));
    Event changed = TestEvents.withText(event, "another text under its id");
    assertThat(append(changed)).containsExactly(new Receipt.Erased(event.id()));
    assertThat(store().stats().events()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The retry policy of the payment gateway is exponential backoff with jitter, at most"
            + " five.",
        "  The  retry policy\tof the payment\ngateway is exponential backoff with jitter, at most"
            + " five. ",
        "THE RETRY POLICY of the payment gateway is exponential backoff with jitter, at most"
            + " five.",
        "The retry\u200b policy of the payment gateway is exponential back\u00adoff with jitter, at"
            + " most five.",
        "\uff34he retry policy of the payment gateway is exponential backoff with jitter, at most"
            + " five."
      })
  void sameWords_ofAnotherEvent_areRefused_whateverTheirForm(String words) {
    Event event = TestEvents.message("s", START, LONG);
    append(event);
    erase(stored(event), /* barred= */ true);
    EventId other = TestEvents.id(START.plusSeconds(5), 9);
    Event later =
        TestEvents.withId(TestEvents.message("s", START.plus(Duration.ofDays(3)), words), other);
    Event elsewhere = TestEvents.message("fork", START.plusSeconds(7), words);
    Event ofAgent = TestEvents.from(elsewhere, "another-agent", Map.of("tool", "Bash"));
    assertThat(append(later)).containsExactly(new Receipt.Erased(other));
    assertThat(append(ofAgent)).containsExactly(new Receipt.Erased(ofAgent.id()));
  }

  @Test
  void shortWords_areRefusedNearTheirTimeAndInForks_butNotLater() {
    Event event = TestEvents.message("s", START, "Yes.");
    append(event);
    erase(stored(event), /* barred= */ true);
    Event byHook = TestEvents.message("s", START.plusSeconds(2), "yes.");
    EventId copied = TestEvents.id(START.plusSeconds(1), 3);
    Event fork = TestEvents.withId(TestEvents.message("fork", START, "Yes."), copied);
    Event later = TestEvents.message("s", START.plus(Duration.ofHours(1)), "Yes.");
    Event elsewhere = TestEvents.message("t", START.plusSeconds(3), "Yes.");
    assertThat(append(byHook, fork, later, elsewhere))
        .containsExactly(
            new Receipt.Erased(byHook.id()),
            new Receipt.Erased(copied),
            new Receipt.Created(later.id()),
            new Receipt.Created(elsewhere.id()));
  }

  @Test
  void unbarredWords_mayComeBackInAnotherEvent() {
    Event event = TestEvents.message("s", START, LONG);
    append(event);
    erase(stored(event), /* barred= */ false);
    Event later = TestEvents.message("s", START.plusSeconds(60), LONG);
    assertThat(append(event, later))
        .containsExactly(new Receipt.Erased(event.id()), new Receipt.Created(later.id()));
  }

  @Test
  void manyErased_areAllRecognised() {
    List<Event> events = TestEvents.messages("s", 300);
    append(events);
    for (Event event : events) {
      erase(stored(event), /* barred= */ true);
    }
    assertThat(append(events)).allMatch(Receipt.Erased.class::isInstance);
  }

  @Test
  void formerVersions_go_andTheLatestStays() {
    NodeId year = NodeId.year(2026);
    commit(new Change.PutNode(TestToc.node(year, 1, List.of())));
    commit(new Change.PutNode(TestToc.node(year, 2, List.of())));
    commit(new Change.DropFormerVersions(year));
    assertThat(store().toc().versions(year)).containsExactly(2);
    commit(new Change.PutNode(TestToc.node(year, 3, List.of())));
    commit(new Change.RetireNode(year), new Change.DropFormerVersions(year));
    assertThat(store().toc().versions(year)).isEmpty();
    commit(new Change.PutNode(TestToc.node(year, 1, List.of())));
    assertThat(store().toc().node(year)).isPresent();
  }
}
