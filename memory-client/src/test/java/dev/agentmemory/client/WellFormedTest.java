package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Half a character never leaves the client as something else.
class WellFormedTest {

  private static final String HALF = "\uD83D";
  private static final Event FINE = TestEvents.message("s", TestEvents.START, "fine \uD83D\uDE00");

  @Test
  void event_wellFormed_isLetThrough() {
    Event event = TestEvents.from(FINE, "claude", Map.of("k\uD83D\uDE00", "v\0"));
    assertThat(WellFormed.check(event)).isSameAs(event);
  }

  @Test
  void event_withHalfASurrogatePair_isRefusedNamingTheField() {
    refused("event.text", TestEvents.withText(FINE, "a" + HALF));
    refused("event.text", TestEvents.withText(FINE, "\uDE00" + HALF));
    refused("event.agent", TestEvents.from(FINE, HALF, Map.of()));
    refused("event.metadata", TestEvents.from(FINE, "a", Map.of(HALF + "k", "v")));
    refused("event.metadata[k]", TestEvents.from(FINE, "a", Map.of("k", HALF)));
  }

  private static void refused(String field, Event event) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> WellFormed.check(event))
        .satisfies(e -> assertThat(e.field()).contains(field));
  }
}
