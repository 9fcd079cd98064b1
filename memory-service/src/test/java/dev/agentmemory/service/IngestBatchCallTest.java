package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import io.grpc.Context;
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
    assertThat(answer.getAcksList())
        .extracting(IngestAck::getPosition)
        .containsExactly(0L, 1L, 2L, 3L);
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
    replace(ingest);
    Refusals.of(() -> send(events(1))).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
    assertThat(ingest.taken).isEmpty();
  }

  @Test
  void batch_isAnsweredOnlyWhenItIsDurable() throws Exception {
    var ingest = new SteppedIngest();
    replace(ingest);
    Recorder<IngestStreamResponse> answers = start(events(1));
    SteppedIngest.Taken taken = ingest.next();
    assertThat(answers.soFar()).isEmpty();
    taken.complete();
    assertThat(answers.all()).extracting(IngestStreamResponse::getAcksCount).containsExactly(1);
  }

  @Test
  void batch_thatCannotBeStored_fails() throws Exception {
    var ingest = new SteppedIngest();
    replace(ingest);
    Recorder<IngestStreamResponse> answers = start(events(1));
    ingest
        .next()
        .answer()
        .completeExceptionally(new MemoryException(ErrorCode.DISK_FULL, "the disk is full"));
    new Refusals(answers.failure()).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.DISK_FULL);
  }

  @Test
  void batch_cancelledByItsCaller_doesNotDisturbTheNext() throws Exception {
    var ingest = new SteppedIngest();
    replace(ingest);
    var context = Context.current().withCancellation();
    var cancelled = new Recorder<IngestStreamResponse>();
    context.run(() -> fixture.streams().ingestBatch(events(1).build(), cancelled));
    SteppedIngest.Taken taken = ingest.next();
    context.cancel(null);
    assertThat(Status.fromThrowable(cancelled.failure()).getCode())
        .isEqualTo(Status.Code.CANCELLED);
    taken.complete();
    Recorder<IngestStreamResponse> answers = start(events(1));
    ingest.next().complete();
    assertThat(answers.all()).hasSize(1);
  }

  private Recorder<IngestStreamResponse> start(IngestStreamRequest.Builder request) {
    var answers = new Recorder<IngestStreamResponse>();
    fixture.streams().ingestBatch(request.build(), answers);
    return answers;
  }

  @Test
  void importing_isReportedBeforeTheEvents_onlyIfTheMessageSaysSo() throws Exception {
    var reports = new AtomicInteger();
    var ingest =
        new SteppedIngest() {
          @Override
          public void importing() {
            assertThat(taken).isEmpty();
            reports.incrementAndGet();
          }
        };
    replace(ingest);
    ingest.refusals.set(2);
    Refusals.of(() -> send(events(1))).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
    assertThat(reports).hasValue(0);
    Refusals.of(() -> send(events(1).setImporting(true)))
        .is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
    assertThat(reports).hasValue(1);
  }

  private void replace(SteppedIngest ingest) {
    fixture.close();
    fixture = Fixture.open(ingest, new StreamWindow(1000, 1 << 20, Duration.ofSeconds(30)));
  }
}
