package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.proto.Event;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EventMessagesTest {

  private static Event message(UnaryOperator<Event.Builder> change) {
    return change
        .apply(
            Event.newBuilder()
                .setEventId("01ARZ3NDEKTSV4RRFFQ69G5FAV")
                .setSessionId("s")
                .setTimestampMs(1)
                .setText("hello"))
        .build();
  }

  private static void refused(String field, UnaryOperator<Event.Builder> change) {
    MemoryException refusal =
        catchThrowableOfType(MemoryException.class, () -> EventMessages.fromWire(message(change)));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).contains(field);
    assertThat(refusal).hasMessageStartingWith(field + ": ");
  }

  @Test
  void fromWire_unspecifiedRoleAndType_areUserMessageOfUser() {
    var event = EventMessages.fromWire(message(e -> e));
    assertThat(event.role()).isEqualTo(EventRole.USER);
    assertThat(event.type()).isEqualTo(EventType.USER_MESSAGE);
    assertThat(event.agent()).isEmpty();
  }

  @Test
  void fromWire_lowerCaseId_isCanonical() {
    var event = EventMessages.fromWire(message(e -> e.setEventId("01arz3ndektsv4rrffq69g5fav")));
    assertThat(event.id().value()).isEqualTo("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  }

  @Test
  void fromWire_emptyAgent_isNone() {
    assertThat(EventMessages.fromWire(message(e -> e.setAgent(""))).agent()).isEmpty();
  }

  @Test
  void fromWire_emptyIds_nameTheField() {
    refused("event.event_id", e -> e.setEventId(""));
    refused("event.session_id", e -> e.setSessionId(""));
  }

  @Test
  void fromWire_noUlid_namesTheField() {
    refused("event.event_id", e -> e.setEventId("8ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
  }

  @Test
  void fromWire_positionOutOfRange_namesTheField() {
    for (long position : new long[] {Long.MIN_VALUE, -1, 0, 10_000_000_000L, Long.MAX_VALUE}) {
      refused("event.position", e -> e.setPosition(position));
    }
    for (long position : new long[] {1, 9_999_999_999L}) {
      assertThat(EventMessages.fromWire(message(e -> e.setPosition(position))).position())
          .isEqualTo(position);
    }
    assertThat(EventMessages.fromWire(message(e -> e)).position()).isZero();
  }

  @Test
  void fromWire_unknownNumbers_nameTheField() {
    refused("event.role", e -> e.setRoleValue(99));
    refused("event.event_type", e -> e.setEventTypeValue(9));
  }
}
