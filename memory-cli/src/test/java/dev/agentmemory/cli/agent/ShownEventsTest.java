package dev.agentmemory.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShownEventsTest {

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private static Event event(int number, Instant time) {
    return new Event(
        new EventId("%026d".formatted(number)),
        new SessionId("s"),
        time,
        EventType.USER_MESSAGE,
        EventRole.USER,
        "x",
        Map.of(),
        Optional.empty(),
        0);
  }

  @Test
  void eventsOfALongRun_areForgottenWithTime_andNotShownAgain() {
    var shown = new ShownEvents();
    for (int i = 0; i < 3 * ShownEvents.MOST; i++) {
      Event event = event(i, BEGIN.plusSeconds(i));
      assertThat(shown.contains(event)).isFalse();
      shown.add(event);
      shown.forgetBefore(BEGIN.plusSeconds(i - 600));
    }
    assertThat(shown.size()).isEqualTo(601);
    assertThat(shown.contains(event(0, BEGIN))).isTrue();
  }

  @Test
  void moreEventsAtOnceThanAreRemembered_areNotShownAgain() {
    var shown = new ShownEvents();
    for (int i = 0; i < 2 * ShownEvents.MOST; i++) {
      shown.add(event(i, BEGIN.plusMillis(i / 10)));
    }
    assertThat(shown.size()).isLessThanOrEqualTo(ShownEvents.MOST);
    assertThat(shown.contains(event(0, BEGIN))).isTrue();
    Event last = event(2 * ShownEvents.MOST, BEGIN.plusMillis(ShownEvents.MOST));
    assertThat(shown.contains(last)).isFalse();
    assertThat(shown.from()).isAfter(BEGIN);
  }
}
