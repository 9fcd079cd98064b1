package dev.agentmemory.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeTest {

  @Test
  void appendEvent_receivedWithOtherWords_isTheSameEvent() {
    Event stored = event(1, "s", "[masked]");
    Event received = event(1, "s", "words");
    assertThat(new Change.AppendEvent(stored, received).event()).isEqualTo(stored);
    assertThat(new Change.AppendEvent(stored).received()).isEqualTo(stored);
  }

  @Test
  void appendEvent_receivedAsAnother_isRefused() {
    Event stored = event(1, "s", "words");
    refused(stored, event(2, "s", "words"));
    refused(stored, event(1, "t", "words"));
    refused(stored.in(new WorkspaceName("alpha")), stored);
  }

  private static void refused(Event stored, Event received) {
    assertThatThrownBy(() -> new Change.AppendEvent(stored, received))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Event event(long milli, String session, String text) {
    return new Event(
        new EventId("0".repeat(26)),
        new SessionId(session),
        Instant.ofEpochMilli(milli),
        EventType.USER_MESSAGE,
        EventRole.USER,
        text,
        Map.of(),
        Optional.empty());
  }
}
