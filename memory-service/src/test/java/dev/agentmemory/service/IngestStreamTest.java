package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.client.IngestStream;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IngestStreamTest {

  private static IngestStreamRequest message(List<Event> events) {
    return IngestStreamRequest.newBuilder().addAllEvents(EventMessages.toWire(events)).build();
  }

  private static List<IngestAck> acks(List<IngestStreamResponse> responses) {
    return responses.stream().flatMap(response -> response.getAcksList().stream()).toList();
  }

  @Test
  void stream_fiveThousandEventsOneBad_answersEachInOrder() {
    List<Event> events = new ArrayList<>(Samples.events(5000));
    events.set(3210, Samples.tooFarAhead(3210));
    List<Receipt> acks = Collections.synchronizedList(new ArrayList<>());
    try (Fixture fixture = Fixture.open();
        MemoryClient client = fixture.client()) {
      try (IngestStream stream = client.openStream(acks::add)) {
        for (int i = 0; i < 5000; i += 64) {
          assertThat(stream.send(events.subList(i, Math.min(5000, i + 64)))).isEqualTo(i);
        }
      }
      assertThat(fixture.store.stats().events()).isEqualTo(4999);
    }
    assertThat(acks).hasSize(5000);
    for (int i = 0; i < 5000; i++) {
      assertThat(acks.get(i).event()).isEqualTo(events.get(i).id());
      assertThat(acks.get(i).stored()).isEqualTo(i != 3210);
    }
    assertThat(acks.get(3210))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            bad -> {
              assertThat(bad.why().field()).contains("event.timestamp_ms");
              assertThat(bad.why()).hasMessageContaining("max_clock_skew");
            });
  }

  @Test
  void stream_knownAndConflictingAndUnreadableEvents_areTold() {
    try (Fixture fixture = Fixture.open()) {
      fixture.store.commit(Commit.append(Samples.events(2)));
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(
          message(
              List.of(
                  Samples.event(0),
                  Samples.event(1, Samples.START + 1, "other"),
                  Samples.event(2))));
      requests.onNext(
          IngestStreamRequest.newBuilder()
              .addEvents(EventMessages.toWire(Samples.event(3)).toBuilder().setEventId(""))
              .build());
      requests.onCompleted();
      List<IngestAck> acks = acks(answers.all());
      assertThat(acks)
          .extracting(IngestAck::getOutcome)
          .containsExactly(
              IngestAck.Outcome.OUTCOME_ALREADY_KNOWN,
              IngestAck.Outcome.OUTCOME_CONFLICT,
              IngestAck.Outcome.OUTCOME_CREATED,
              IngestAck.Outcome.OUTCOME_INVALID);
      assertThat(acks.get(1).getField()).isEqualTo("event.event_id");
      assertThat(acks.get(3).getField()).isEqualTo("event.event_id");
      assertThat(acks.get(3).getPosition()).isEqualTo(3);
    }
  }

  @Test
  void stream_nothingSent_ends() {
    try (Fixture fixture = Fixture.open()) {
      var answers = new Recorder<IngestStreamResponse>();
      fixture.streams().ingestStream(answers).onCompleted();
      assertThat(answers.all()).isEmpty();
    }
  }

  @Test
  void stream_answersOutOfOrder_leaveInOrder() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      for (int i = 0; i < 3; i++) {
        requests.onNext(message(List.of(Samples.event(i))));
      }
      SteppedIngest.Taken first = ingest.next();
      SteppedIngest.Taken second = ingest.next();
      SteppedIngest.Taken third = ingest.next();
      third.complete();
      second.complete();
      assertThat(answers.soFar()).isEmpty();
      first.complete();
      requests.onCompleted();
      assertThat(acks(answers.all()))
          .extracting(IngestAck::getPosition)
          .containsExactly(0L, 1L, 2L);
    }
  }

  @Test
  void window_ofEvents_boundsWhatIsTaken() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, new StreamWindow(100, 8 << 20))) {
      bounded(fixture, ingest, 10, 100);
    }
  }

  @Test
  void window_ofBytes_boundsWhatIsTaken() throws Exception {
    int bytes = message(Samples.events(10)).getSerializedSize();
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, new StreamWindow(4096, bytes * 5))) {
      bounded(fixture, ingest, 10, 50);
    }
  }

  /// Sends a lot and looks at how much is taken while nothing is answered.
  private static void bounded(Fixture fixture, SteppedIngest ingest, int batch, int most)
      throws InterruptedException {
    var answers = new Recorder<IngestStreamResponse>();
    var requests = fixture.streams().ingestStream(answers);
    int sent = 500;
    for (int i = 0; i < sent; i += batch) {
      requests.onNext(message(Samples.events(batch)));
    }
    requests.onCompleted();
    Deque<SteppedIngest.Taken> open = new ArrayDeque<>();
    for (int taken = 0; taken < most; taken += batch) {
      open.add(ingest.next());
    }
    fixture.admin().ping(PingRequest.getDefaultInstance());
    assertThat(ingest.events).hasValue(most);
    for (int done = 0; done < sent; done += batch) {
      assertThat(ingest.events.get()).isLessThanOrEqualTo(done + most);
      if (open.isEmpty()) {
        open.add(ingest.next());
      }
      open.remove().complete();
    }
    assertThat(acks(answers.all())).hasSize(sent);
  }

  @Test
  void queueFull_whileOthersAreOpen_isTriedAgain() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      SteppedIngest.Taken first = ingest.next();
      ingest.refusals.set(3);
      requests.onNext(message(List.of(Samples.event(1))));
      requests.onNext(message(List.of(Samples.event(2))));
      requests.onCompleted();
      first.complete();
      assertThat(ingest.next().events()).containsExactly(Samples.event(1));
      assertThat(ingest.next().events()).containsExactly(Samples.event(2));
    }
  }

  @Test
  void queueFull_nothingOpen_isTriedAgainByItself() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      ingest.refusals.set(5);
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      requests.onCompleted();
      ingest.next().complete();
      assertThat(acks(answers.all())).hasSize(1);
    }
  }

  @Test
  void queueFull_inTheAnswer_isTriedAgain() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      requests.onCompleted();
      ingest
          .next()
          .answer()
          .completeExceptionally(new MemoryException(ErrorCode.QUEUE_FULL, "full"));
      ingest.next().complete();
      assertThat(acks(answers.all())).hasSize(1);
    }
  }

  @Test
  void storeFails_endsTheStreamAfterWhatWasStored() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      requests.onNext(message(List.of(Samples.event(1))));
      SteppedIngest.Taken first = ingest.next();
      ingest
          .next()
          .answer()
          .completeExceptionally(new MemoryException(ErrorCode.STORAGE_FAILED, "disk on fire"));
      first.complete();
      new Refusals(answers.failure()).is(Status.Code.UNAVAILABLE, ErrorCode.STORAGE_FAILED);
      assertThat(acks(answers.soFar())).hasSize(1);
    }
  }

  @Test
  void message_ofTooManyEvents_endsTheStreamWithItsReason() throws Exception {
    try (Fixture fixture = Fixture.open()) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(Samples.events(1000)));
      requests.onNext(message(Samples.events(1001)));
      new Refusals(answers.failure())
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("events");
      assertThat(acks(answers.soFar())).hasSize(1000);
    }
  }

  @Test
  void cancel_withBatchesOpen_takesNothingMore() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, new StreamWindow(1, 8 << 20))) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests =
          (ClientCallStreamObserver<IngestStreamRequest>) fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      requests.onNext(message(List.of(Samples.event(1))));
      SteppedIngest.Taken first = ingest.next();
      requests.cancel("enough", null);
      fixture.admin().ping(PingRequest.getDefaultInstance());
      first.complete();
      fixture.admin().ping(PingRequest.getDefaultInstance());
      assertThat(ingest.events).hasValue(1);
    }
  }

  @Test
  void serverCloses_openStream_isAnsweredThenTold() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      var answers = new Recorder<IngestStreamResponse>();
      var requests = fixture.streams().ingestStream(answers);
      requests.onNext(message(List.of(Samples.event(0))));
      SteppedIngest.Taken first = ingest.next();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(fixture.server::close);
      first.complete();
      new Refusals(answers.failure()).is(Status.Code.UNAVAILABLE, ErrorCode.CLOSED);
      closing.get(10, TimeUnit.SECONDS);
      assertThat(acks(answers.soFar())).hasSize(1);
    }
  }

  @Test
  void client_streamFails_sendAndCloseThrow() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT);
        MemoryClient client = fixture.client()) {
      IngestStream stream = client.openStream(ack -> {});
      stream.send(List.of(Samples.event(0)));
      ingest
          .next()
          .answer()
          .completeExceptionally(new MemoryException(ErrorCode.STORAGE_FAILED, "disk on fire"));
      MemoryException failure = catchThrowableOfType(MemoryException.class, stream::close);
      assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
      assertThat(
              catchThrowableOfType(
                  MemoryException.class, () -> stream.send(List.of(Samples.event(1)))))
          .hasMessage(failure.getMessage())
          .extracting(MemoryException::code)
          .isEqualTo(ErrorCode.STORAGE_FAILED);
    }
  }

  @Test
  void client_streamFailsBeforeItIsClosed_tellsTheFirstFailure() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT);
        MemoryClient client = fixture.client()) {
      MemoryException failure =
          catchThrowableOfType(
              MemoryException.class,
              () -> {
                try (IngestStream stream = client.openStream(ack -> {})) {
                  stream.send(List.of(Samples.event(0)));
                  ingest
                      .next()
                      .answer()
                      .completeExceptionally(
                          new MemoryException(ErrorCode.STORAGE_FAILED, "disk on fire"));
                  for (int i = 1; i < 1_000_000; i++) {
                    stream.send(List.of(Samples.event(i)));
                  }
                }
              });

      assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
      assertThat(failure.getSuppressed()).hasSize(1);
    }
  }

  @Test
  void client_daemonTakesNoMore_sendWaits() throws Exception {
    var ingest = new SteppedIngest();
    try (Fixture fixture = Fixture.open(ingest, new StreamWindow(1, 8 << 20));
        MemoryClient client = fixture.client()) {
      var acks = Collections.synchronizedList(new ArrayList<Receipt>());
      IngestStream stream = client.openStream(acks::add);
      int batches = 200;
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; i < batches; i++) {
              stream.send(List.of(large(i)));
            }
            stream.close();
          });
      ingest.next().complete();
      SteppedIngest.Taken held = ingest.next();
      assertThat(stream.sent()).isLessThan(batches);
      assertThat(sender).isNotDone();
      held.complete();
      for (int i = 2; i < batches; i++) {
        ingest.next().complete();
      }
      sender.get(20, TimeUnit.SECONDS);
      assertThat(acks).hasSize(batches);
      assertThat(stream.answered()).isEqualTo(batches);
    }
  }

  private static Event large(int number) {
    return Samples.event(number, Samples.START + number, "x".repeat(100_000));
  }
}
