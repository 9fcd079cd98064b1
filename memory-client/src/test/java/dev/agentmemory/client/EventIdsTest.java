package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventIdsTest {

  private static final Instant TIME = Instant.parse("2026-01-30T14:30:00.123Z");

  private static EventId derive(String text, Map<String, String> metadata, String agent) {
    return EventIds.derive(
        new SessionId("s"),
        TIME,
        EventType.USER_MESSAGE,
        EventRole.USER,
        text,
        metadata,
        Optional.of(agent).filter(name -> !name.isEmpty()));
  }

  /// Imports of earlier runs are recognised by these ids, so they must never change.
  @Test
  void derive_knownContent_isTheIdOfEver() {
    assertThat(derive("héllo 👋", Map.of("b", "2", "a", "1"), "claude").value())
        .isEqualTo("01KG7MZ5NV8WM0AGJYATZ9H5G2");
  }

  @Test
  void derive_carriesTheTimestamp() {
    assertThat(derive("x", Map.of(), "").embeddedTime()).isEqualTo(TIME);
  }

  @Test
  void derive_orderOfMetadata_doesNotMatter() {
    Map<String, String> one = new LinkedHashMap<>();
    one.put("a", "1");
    one.put("b", "2");
    Map<String, String> other = new LinkedHashMap<>();
    other.put("b", "2");
    other.put("a", "1");
    assertThat(derive("x", one, "")).isEqualTo(derive("x", other, ""));
  }

  @Test
  void derive_contentMovedBetweenParts_isAnotherId() {
    Set<EventId> ids = new HashSet<>();
    ids.add(derive("ab", Map.of(), ""));
    ids.add(derive("a", Map.of("b", ""), ""));
    ids.add(derive("a", Map.of("", "b"), ""));
    ids.add(derive("a", Map.of(), "b"));
    ids.add(derive("", Map.of("a", "b"), ""));
    ids.add(derive("", Map.of(), "ab"));
    ids.add(derive("", Map.of("ab", ""), ""));
    assertThat(ids).hasSize(7);
  }

  @Test
  void derive_timeThatNoIdCarries_isNamed() {
    for (long millis : new long[] {-1, 1L << 48}) {
      MemoryException refusal =
          catchThrowableOfType(
              MemoryException.class,
              () ->
                  EventIds.derive(
                      new SessionId("s"),
                      Instant.ofEpochMilli(millis),
                      EventType.USER_MESSAGE,
                      EventRole.USER,
                      "x",
                      Map.of(),
                      Optional.empty()));
      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
      assertThat(refusal.field()).contains("event.timestamp_ms");
    }
  }
}
