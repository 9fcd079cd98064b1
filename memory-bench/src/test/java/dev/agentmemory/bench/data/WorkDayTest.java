package dev.agentmemory.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkDayTest {

  @Test
  void events_areInTimeOrderAndHaveTheirSize() {
    List<Event> events = WorkDay.events(0, 1000);

    assertThat(events).isEqualTo(events.stream().sorted(Comparator.comparing(Event::key)).toList());
    assertThat(events)
        .allSatisfy(event -> {
          int text = event.text().getBytes(StandardCharsets.UTF_8).length;
          int ids = event.id().value().length() + event.session().value().length();
          assertThat(text + ids).isBetween(450, WorkDay.EVENT_BYTES);
        });
  }
}
