package dev.agentmemory.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventType;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StoryTest {

  @Test
  void crashEvents_sameSeedAndNumber_isTheSameEvent() {
    assertThat(new CrashEvents(7).event(1234)).isEqualTo(new CrashEvents(7).event(1234));
    assertThat(new CrashEvents(8).event(1234)).isNotEqualTo(new CrashEvents(7).event(1234));
  }

  @Test
  void crashEvents_aThousand_holdWhatTheTestNeeds() {
    var story = new CrashEvents(7);
    List<Event> events = IntStream.range(0, 2000).mapToObj(story::event).toList();

    assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(events).extracting(Event::session).contains(events.getFirst().session());
    assertThat(events.stream().map(Event::type)).contains(EventType.SESSION_END);
    assertThat(events).isNotEqualTo(inTimeOrder(events));
    assertThat(events).anyMatch(event -> !event.id().embeddedTime().equals(event.timestamp()));
  }

  @Test
  void workDay_events_areInTimeOrderAndHaveTheirSize() {
    List<Event> events = WorkDay.events(0, 1000);

    assertThat(events).isEqualTo(inTimeOrder(events));
    assertThat(events)
        .allSatisfy(event -> {
          int text = event.text().getBytes(StandardCharsets.UTF_8).length;
          int ids = event.id().value().length() + event.session().value().length();
          assertThat(text + ids).isBetween(450, WorkDay.EVENT_BYTES);
        });
  }

  private static List<Event> inTimeOrder(List<Event> events) {
    return events.stream().sorted(Comparator.comparing(Event::key)).toList();
  }
}
