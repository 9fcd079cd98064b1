package dev.agentmemory.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.bench.crash.CrashEvents;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventAccountTest {

  private static final List<Event> EVENTS =
      IntStream.range(0, 3).mapToObj(new CrashEvents(5)::event).toList();

  private final EventAccount account = new EventAccount(byId(EVENTS), new TortureLoad(6));

  private static Map<EventId, Event> byId(List<Event> events) {
    var map = new HashMap<EventId, Event>();
    events.forEach(event -> map.put(event.id(), event));
    return map;
  }

  private static FoundEvents found(List<Event> events) {
    return new FoundEvents(byId(events), 0, Optional.empty(), new PassedOver());
  }

  @Test
  void event_thatIsNotListed_isMissing_untilARecoveryNamesIt() {
    FoundEvents found = found(EVENTS.subList(1, 3));
    List<Event> missing = account.missing(found);
    assertThat(missing).containsExactly(EVENTS.getFirst());
    account.recovered(
        missing, "session " + EVENTS.getFirst().session().value() + " is missing 1 event");
    assertThat(account.missing(found)).isEmpty();
    assertThat(account.counts()).isEqualTo(new EventAccount.Counts(3, 1, 0));
  }

  @Test
  void event_thatTheRecoveryDoesNotName_isLost() {
    account.recovered(account.missing(found(EVENTS.subList(1, 3))), "none missing");
    assertThat(account.counts().lost()).isEqualTo(1);
  }

  @Test
  void event_thatNobodySent_isForeign() {
    Event other = new CrashEvents(7).event(0);
    assertThat(account.foreign(found(List.of(EVENTS.getFirst(), other)))).containsExactly(other);
  }
}
