package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import io.grpc.Status;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IngestEventTest {

  private final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  private IngestEventResponse ingest(UnaryOperator<Event.Builder> change) {
    var event = change.apply(EventMessages.toWire(Samples.event(1)).toBuilder());
    return fixture.memory().ingestEvent(IngestEventRequest.newBuilder().setEvent(event).build());
  }

  private void refused(String field, UnaryOperator<Event.Builder> change) throws Exception {
    Refusals.of(() -> ingest(change))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names(field);
  }

  @Test
  void ingest_newEvent_isCreatedAndStored() {
    IngestEventResponse answer = ingest(event -> event);
    assertThat(answer.getCreated()).isTrue();
    assertThat(answer.getDeduplicated()).isFalse();
    assertThat(fixture.store.event(Samples.id(1))).contains(Samples.event(1));
  }

  @Test
  void ingest_sameEventTwice_isKnown() {
    ingest(event -> event);
    IngestEventResponse again = ingest(event -> event);
    assertThat(again.getCreated()).isFalse();
    assertThat(again.getEventId()).isEqualTo(Samples.id(1).value());
  }

  @Test
  void ingest_sameIdOtherText_alreadyExists() throws Exception {
    ingest(event -> event);
    Refusals.of(() -> ingest(event -> event.setText("other")))
        .is(Status.Code.ALREADY_EXISTS, ErrorCode.EVENT_CONFLICT)
        .says(Samples.id(1).value());
  }

  @Test
  void ingest_lowerCaseId_answersCanonical() {
    String lower = "01arz3ndektsv4rrff00000001";
    assertThat(ingest(event -> event.setEventId(lower)).getEventId())
        .isEqualTo(Samples.id(1).value());
  }

  @Test
  void ingest_badFields_areNamed() throws Exception {
    refused("event.event_id", event -> event.setEventId(""));
    refused("event.event_id", event -> event.setEventId("no ulid"));
    refused("event.session_id", event -> event.setSessionId(""));
    refused("event.timestamp_ms", event -> event.setTimestampMs(-1));
    refused("event.role", event -> event.setRoleValue(77));
    refused("event.text", event -> event.setText(""));
    refused("event.text", event -> event.setText("x".repeat((1 << 20) + 1)));
    long late = Samples.tooFarAhead(1).timestamp().toEpochMilli();
    refused("event.timestamp_ms", event -> event.setTimestampMs(late));
    assertThat(fixture.store.stats().events()).isZero();
  }

  @Test
  void ingest_noEvent_isNamed() throws Exception {
    Refusals.of(() -> fixture.memory().ingestEvent(IngestEventRequest.getDefaultInstance()))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("event");
  }

  @Test
  void ingest_closedStore_isUnavailable() throws Exception {
    fixture.store.close();
    Refusals.of(() -> ingest(event -> event)).is(Status.Code.UNAVAILABLE, ErrorCode.CLOSED);
  }
}
