package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `IngestBatch`: many events in one call.
class IngestBatchCallTest {

  private Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  private IngestStreamResponse send(IngestStreamRequest.Builder request) {
    return IngestServiceGrpc.newBlockingStub(fixture.channel)
        .withDeadlineAfter(20, TimeUnit.SECONDS)
        .ingestBatch(request.build());
  }

  private static IngestStreamRequest.Builder events(int... numbers) {
    var request = IngestStreamRequest.newBuilder();
    for (int number : numbers) {
      request.addEvents(EventMessages.toWire(Samples.event(number)));
    }
    return request;
  }

  @Test
  void batch_isAnsweredEventByEvent_andStored() {
    send(events(2));
    var request = events(1, 2);
    request.addEvents(request.getEvents(0).toBuilder().setEventId("no ulid"));
    request.addEvents(EventMessages.toWire(Samples.event(3)));
    IngestStreamResponse answer = send(request);
    assertThat(answer.getAcksList())
        .extracting(IngestAck::getOutcome)
        .containsExactly(
            IngestAck.Outcome.OUTCOME_CREATED,
            IngestAck.Outcome.OUTCOME_ALREADY_KNOWN,
            IngestAck.Outcome.OUTCOME_INVALID,
            IngestAck.Outcome.OUTCOME_CREATED);
    assertThat(answer.getAcksList()).extracting(IngestAck::getPosition).containsExactly(0L, 1L, 2L, 3L);
    assertThat(answer.getAcks(2).getField()).isEqualTo("event.event_id");
    assertThat(fixture.store.event(Samples.id(3))).contains(Samples.event(3));
  }

  @Test
  void batch_ofNone_isAnsweredWithNone() {
    assertThat(send(IngestStreamRequest.newBuilder()).getAcksList()).isEmpty();
  }

  @Test
  void batch_ofMoreThanAThousand_isRefused() throws Exception {
    var request = IngestStreamRequest.newBuilder();
    for (int i = 0; i < 1000; i++) {
      request.addEvents(EventMessages.toWire(Samples.event(1)));
    }
    assertThat(send(request).getAcksCount()).isEqualTo(1000);
    request.addEvents(EventMessages.toWire(Samples.event(1)));
    Refusals.of(() -> send(request))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names("events");
  }

  @Test
  void batch_whileTooManyEventsWait_isRefusedAsAWhole() throws Exception {
    var ingest = new SteppedIngest();
    ingest.refusals.set(1);
    fixture.close();
    fixture = Fixture.open(ingest, new StreamWindow(1000, 1 << 20, Duration.ofSeconds(30)));
    Refusals.of(() -> send(events(1))).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
    assertThat(ingest.taken).isEmpty();
  }

  @Test
  void importing_isReportedBeforeTheEvents_onlyIfTheMessageSaysSo() {
    var reports = new AtomicInteger();
    var ingest =
        new SteppedIngest() {
          @Override
          public void importing() {
            assertThat(taken).isEmpty();
            reports.incrementAndGet();
            refusals.set(1);
          }
        };
    fixture.close();
    fixture = Fixture.open(ingest, new StreamWindow(1000, 1 << 20, Duration.ofSeconds(30)));
    ingest.refusals.set(1);
    Refusals.of(() -> send(events(1)));
    assertThat(reports).hasValue(0);
    Refusals.of(() -> send(events(1).setImporting(true)));
    assertThat(reports).hasValue(1);
  }
}
