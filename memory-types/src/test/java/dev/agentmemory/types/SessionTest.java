package dev.agentmemory.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A session is derived from its events in any order.
class SessionTest {

  @Test
  void plus_earlierAndLaterEvents_widensAndCounts() {
    Session session =
        Session.of(event(5, EventType.USER_MESSAGE))
            .plus(event(9, EventType.SESSION_END))
            .plus(event(1, EventType.SESSION_START));
    assertThat(session.events()).isEqualTo(3);
    assertThat(session.first().timestamp()).isEqualTo(Instant.ofEpochMilli(1));
    assertThat(session.last().timestamp()).isEqualTo(Instant.ofEpochMilli(9));
    assertThat(session.ended()).isTrue();
  }

  @Test
  void plus_eventBehindTheEnd_opensItAgain_lateOnesDoNot() {
    Session ended = Session.of(event(5, EventType.SESSION_END));
    assertThat(ended.plus(event(6, EventType.USER_MESSAGE)).ended()).isFalse();
    assertThat(ended.plus(event(4, EventType.USER_MESSAGE)).ended()).isTrue();
  }

  private static Event event(long milli, EventType type) {
    return new Event(
        new EventId("0".repeat(25) + milli),
        new SessionId("s"),
        Instant.ofEpochMilli(milli),
        type,
        EventRole.USER,
        "text",
        Map.of(),
        Optional.empty());
  }
}
