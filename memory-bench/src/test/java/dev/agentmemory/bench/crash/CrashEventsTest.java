package dev.agentmemory.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CrashEventsTest {

  @Test
  void event_sameSeedAndNumber_isTheSameEvent() {
    assertThat(new CrashEvents(7).event(1234)).isEqualTo(new CrashEvents(7).event(1234));
    assertThat(new CrashEvents(8).event(1234)).isNotEqualTo(new CrashEvents(7).event(1234));
  }

  @Test
  void events_aThousand_holdWhatTheTestNeeds() {
    var story = new CrashEvents(7);
    List<Event> events = IntStream.range(0, 2000).mapToObj(story::event).toList();

    assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(events).extracting(Event::session).contains(events.getFirst().session());
    assertThat(events.stream().map(Event::type)).contains(EventType.SESSION_END);
    assertThat(events).isNotEqualTo(inTimeOrder(events));
    assertThat(events).anyMatch(event -> !event.id().embeddedTime().equals(event.timestamp()));
  }

  private static List<Event> inTimeOrder(List<Event> events) {
    return events.stream().sorted(Comparator.comparing(Event::key)).toList();
  }
}
