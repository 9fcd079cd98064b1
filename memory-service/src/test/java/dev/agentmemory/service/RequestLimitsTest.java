package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.rpc.RetryInfo;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetUsageRequest;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.proto.RunJobResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The table "Invalid input" of docs/protocol.md, row by row, over a real port.
@Timeout(60)
class RequestLimitsTest {

  private static final int MIB = 1 << 20;
  private static final String INGEST = "memory.MemoryService/IngestEvent";

  private final Fixture fixture =
      Fixture.open(config ->
          new RpcConfig(
              config.address(),
              0,
              config.maxInboundBytes(),
              config.readThreads(),
              config.readQueue(),
              config.tokens(),
              new StreamWindow(4096, 8 * MIB, Duration.ofMillis(200)),
              config.drain(),
              config.connections(),
              config.socket()));

  @AfterEach
  void close() {
    fixture.close();
  }

  /// As many as there are threads of rebuilds.
  @Test
  void rebuilds_thatTakeLong_delayNoShortCallsOfAdministrators() throws Exception {
    List<ListenableFuture<RunJobResponse>> running =
        Stream.of(Fixture.HELD, Fixture.HELD_TOO)
            .map(job ->
                AdminServiceGrpc.newFutureStub(fixture.channel)
                    .runJob(RunJobRequest.newBuilder().setJobName(job).build()))
            .toList();
    // It comes over the same connection, so both have been handed to their pool before it.
    assertThat(fixture.admin().getUsage(GetUsageRequest.getDefaultInstance())).isNotNull();
    assertThat(running).noneMatch(Future::isDone);
    fixture.release();
    for (var each : running) {
      assertThat(each.get()).isNotNull();
    }
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        bad("event.event_id", "no id", event -> event.setEventId("")),
        bad("event.event_id", "no ULID", event -> event.setEventId("4711")),
        bad("event.event_id", "ULID too large", event -> event.setEventId("8" + "Z".repeat(25))),
        bad("event.session_id", "no session", event -> event.setSessionId("")),
        bad("event.session_id", "257 bytes", event -> event.setSessionId("s".repeat(257))),
        bad("event.session_id", "258 bytes", event -> event.setSessionId("é".repeat(129))),
        bad("event.session_id", "control", event -> event.setSessionId("a\nb")),
        bad("event.session_id", "NUL", event -> event.setSessionId("a\0b")),
        bad("event.session_id", "C1 control", event -> event.setSessionId("a\u0085b")),
        bad("event.timestamp_ms", "before 1970", event -> event.setTimestampMs(-1)),
        bad("event.timestamp_ms", "least", event -> event.setTimestampMs(Long.MIN_VALUE)),
        bad("event.timestamp_ms", "year 2286", event -> event.setTimestampMs(9_999_999_999_999L)),
        bad("event.timestamp_ms", "most", event -> event.setTimestampMs(Long.MAX_VALUE)),
        bad("event.event_type", "unknown type", event -> event.setEventTypeValue(77)),
        bad("event.role", "unknown role", event -> event.setRoleValue(77)),
        bad("event.text", "none", event -> event.setText("")),
        bad("event.text", "1 MiB and 1", event -> event.setText("x".repeat(MIB + 1))),
        bad("event.text", "1 MiB in characters", event -> event.setText("é".repeat(MIB))),
        bad("event.metadata", "65 entries", event -> pairs(event, 65)),
        bad("event.metadata", "long key", event -> event.putMetadata("k".repeat(257), "v")),
        bad(
            "event.metadata[long]",
            "8 KiB and 1",
            event -> event.putMetadata("long", "v".repeat((8 << 10) + 1))),
        bad("event.agent", "257 bytes", event -> event.setAgent("a".repeat(257))));
  }

  private static Arguments bad(String field, String what, UnaryOperator<Event.Builder> change) {
    return Arguments.of(field, what, change);
  }

  private static Event.Builder pairs(Event.Builder event, int count) {
    event.clearMetadata();
    IntStream.range(0, count).forEach(i -> event.putMetadata("k" + i, "v"));
    return event;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("refused")
  void event_outOfBounds_isRefusedNamingTheField(
      String field, String what, UnaryOperator<Event.Builder> change) throws Exception {
    Refusals.of(() -> ingest(change))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
        .names(field);
    assertThat(stored()).as(what).isZero();
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        bad("", "NUL in text", event -> event.setText("a\0b\u0001")),
        bad("", "timestamp 0", event -> event.setTimestampMs(0)),
        bad("", "1 MiB", event -> event.setText("x".repeat(MIB))),
        bad("", "emoji", event -> event.setText("\uD83D\uDE00 fine")),
        bad("", "session of 256 bytes", event -> event.setSessionId("é".repeat(128))),
        bad("", "64 entries", event -> pairs(event, 64)),
        bad("", "8 KiB", event -> event.putMetadata("k", "v".repeat(8 << 10))));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("accepted")
  void event_atTheBound_isStoredAndComesBackEqual(
      String field, String what, UnaryOperator<Event.Builder> change) {
    Event sent = event(change);
    ingest(change);
    List<Event> back =
        fixture
            .memory()
            .getEvents(GetEventsRequest.newBuilder().setToTimestampMs(Long.MAX_VALUE).build())
            .getEventsList();
    assertThat(back).as(what + field).containsExactly(sent);
  }

  @Test
  void event_withALoneSurrogate_isNoProtobuf() throws Exception {
    byte[] half = {(byte) 0xED, (byte) 0xA0, (byte) 0xBD};
    for (int field : List.of(Event.SESSION_ID_FIELD_NUMBER, Event.TEXT_FIELD_NUMBER)) {
      byte[] plain = event(event -> event).toByteArray();
      byte[] damaged = concat(plain, bytesField(field, half));
      raw(concat(new byte[0], bytesField(IngestEventRequest.EVENT_FIELD_NUMBER, damaged)))
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .says("UTF-8");
    }
    assertThat(stored()).isZero();
  }

  @Test
  void request_noProtobuf_isInvalidAndTheConnectionLives() throws Exception {
    raw(new byte[] {(byte) 0xff, (byte) 0xff, 3, 4, 5})
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD);
    isAlive();
  }

  @Test
  void stream_noProtobuf_isInvalidAndWhatCameBeforeIsStored() {
    var answers = new Recorder<byte[]>();
    var descriptor = raw(IngestServiceGrpc.getIngestStreamMethod());
    StreamObserver<byte[]> requests =
        ClientCalls.asyncBidiStreamingCall(
            fixture.channel.newCall(descriptor, CallOptions.DEFAULT), answers);
    requests.onNext(stream(wire(Samples.event(1))).toByteArray());
    await(() -> answers.soFar().size() == 1, "an answer");
    requests.onNext(new byte[] {(byte) 0xff, 1, 2});
    assertThat(Status.fromThrowable(answers.failure()).getCode())
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(stored()).isEqualTo(1);
    await(() -> fixture.server.openStreams() == 0, "the end of the stream");
    isAlive();
  }

  @Test
  void request_overTheTransportsLimit_isExhaustedAndTheConnectionLives() {
    Throwable failure =
        Refusals.of(() -> ingest(event -> event.setText("x".repeat(8 * MIB)))).failure();
    assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(stored()).isZero();
    isAlive();
  }

  @Test
  void request_wholeByHand_isStored() throws Exception {
    try (var socket = new WireSocket(fixture.server.port(), INGEST)) {
      socket.send(WireSocket.data(WireSocket.message(request().toByteArray()), true));
      socket.awaitAnswer();
    }
    assertThat(stored()).isEqualTo(1);
  }

  @Test
  void request_brokenOffAnywhere_storesNothingOfIt() throws Exception {
    byte[] message = WireSocket.message(request().toByteArray());
    byte[] frame = WireSocket.data(message, true);
    for (int sent : new int[] {3, 9, 12, frame.length / 2, frame.length - 1}) {
      try (var socket = new WireSocket(fixture.server.port(), INGEST)) {
        socket.send(Arrays.copyOf(frame, sent));
      }
    }
    // Whole frames, but the message they carry is not.
    try (var socket = new WireSocket(fixture.server.port(), INGEST)) {
      socket.send(WireSocket.data(Arrays.copyOf(message, message.length / 2), true));
      socket.awaitAnswer();
    }
    isAlive();
    assertThat(stored()).isZero();
  }

  @Test
  void stream_secondHalfOfAMessageMissing_keepsWhatWasWhole() throws Exception {
    byte[] first = WireSocket.message(stream(wire(Samples.event(1))).toByteArray());
    byte[] second = WireSocket.message(stream(wire(Samples.event(2))).toByteArray());
    try (var socket = new WireSocket(fixture.server.port(), "memory.IngestService/IngestStream")) {
      socket.send(WireSocket.data(first, false));
      socket.send(WireSocket.data(Arrays.copyOf(second, second.length / 2), false));
      socket.awaitAnswer();
    }
    await(() -> fixture.server.openStreams() == 0, "the end of the stream");
    assertThat(fixture.store.event(Samples.id(1))).isPresent();
    assertThat(fixture.store.event(Samples.id(2))).isEmpty();
  }

  @Test
  void stream_oneOfFiveThousandIsBad_theRestIsStored() {
    var answers = new Recorder<IngestStreamResponse>();
    StreamObserver<IngestStreamRequest> requests = fixture.streams().ingestStream(answers);
    for (int from = 0; from < 5000; from += 500) {
      requests.onNext(
          stream(
              IntStream.range(from, from + 500)
                  .mapToObj(i -> i == 2499 ? Samples.tooFarAhead(i) : Samples.event(i))
                  .map(EventMessages::toWire)
                  .toArray(Event[]::new)));
    }
    requests.onCompleted();
    List<IngestAck> acks =
        answers.all().stream().flatMap(answer -> answer.getAcksList().stream()).toList();
    assertThat(acks).extracting(IngestAck::getPosition).hasSize(5000).isSorted();
    assertThat(acks.subList(0, 2499)).allMatch(RequestLimitsTest::isCreated);
    assertThat(acks.get(2499).getOutcome()).isEqualTo(IngestAck.Outcome.OUTCOME_INVALID);
    assertThat(acks.get(2499).getField()).isEqualTo("event.timestamp_ms");
    assertThat(acks.subList(2500, 5000)).allMatch(RequestLimitsTest::isCreated);
    assertThat(stored()).isEqualTo(4999);
  }

  private static boolean isCreated(IngestAck ack) {
    return ack.getOutcome() == IngestAck.Outcome.OUTCOME_CREATED;
  }

  @Test
  void stream_clientStopsReading_isHeldUpThenEndedAndWhatWasStoredStays() throws Exception {
    var reader = new LazyReader();
    IngestServiceGrpc.newStub(fixture.channel).ingestStream(reader);
    ClientCallStreamObserver<IngestStreamRequest> requests = reader.opened.join();
    requests.onNext(stream(wire(Samples.event(0))));
    await(() -> fixture.server.openStreams() == 1, "the stream");
    for (int i = 1; i < 100; i++) {
      // Refusals are long, so that few messages fill what the transport holds of answers.
      Event bad = wire(Samples.event(1)).toBuilder().setSessionId("").build();
      Event[] events = new Event[1000];
      Arrays.fill(events, bad);
      events[0] = wire(Samples.event(i));
      requests.onNext(stream(events));
    }
    await(() -> fixture.server.openStreams() == 0, "the end of the stream");
    long stored = stored();
    assertThat(stored).as("messages that were read").isBetween(1L, 50L);

    requests.request(Integer.MAX_VALUE);

    Throwable failure = reader.answers.failure();
    var refusal = new Refusals(failure);
    refusal.is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL).says("no response was read");
    assertThat(refusal.detail(RetryInfo.class)).isPresent();
    assertThat(reader.answers.soFar()).isNotEmpty();
    assertThat(stored()).isEqualTo(stored);
    isAlive();
  }

  /// Reads answers only when it is told to.
  private static final class LazyReader
      implements ClientResponseObserver<IngestStreamRequest, IngestStreamResponse> {

    private final Recorder<IngestStreamResponse> answers = new Recorder<>();
    private final CompletableFuture<ClientCallStreamObserver<IngestStreamRequest>> opened =
        new CompletableFuture<>();

    @Override
    public void beforeStart(ClientCallStreamObserver<IngestStreamRequest> stream) {
      opened.complete(stream);
      stream.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(IngestStreamResponse answer) {
      answers.onNext(answer);
    }

    @Override
    public void onError(Throwable failure) {
      answers.onError(failure);
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  @Test
  void ingest_fullQueue_isExhaustedAndSaysWhenToTryAgain() throws Exception {
    var ingest = new SteppedIngest();
    ingest.refusals.set(1);
    try (Fixture full = Fixture.open(ingest, StreamWindow.DEFAULT)) {
      Refusals refusal = Refusals.of(() -> full.memory().ingestEvent(request()));
      refusal.is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
      assertThat(refusal.detail(RetryInfo.class).filter(RetryInfo::hasRetryDelay)).isPresent();
      assertThat(ingest.events).hasValue(0);
    }
  }

  private static Event wire(dev.agentmemory.types.Event event) {
    return EventMessages.toWire(event);
  }

  private static Event event(UnaryOperator<Event.Builder> change) {
    return change.apply(wire(Samples.event(1)).toBuilder()).build();
  }

  private static IngestEventRequest request() {
    return IngestEventRequest.newBuilder().setEvent(wire(Samples.event(1))).build();
  }

  private static IngestStreamRequest stream(Event... events) {
    return IngestStreamRequest.newBuilder().addAllEvents(List.of(events)).build();
  }

  private void ingest(UnaryOperator<Event.Builder> change) {
    var _ =
        fixture
            .memory()
            .ingestEvent(IngestEventRequest.newBuilder().setEvent(event(change)).build());
  }

  private long stored() {
    return fixture.store.stats().events();
  }

  private void isAlive() {
    assertThat(fixture.admin().ping(PingRequest.getDefaultInstance())).isNotNull();
  }

  private Refusals raw(byte[] request) {
    return Refusals.of(() ->
        ClientCalls.blockingUnaryCall(
            fixture.channel,
            raw(MemoryServiceGrpc.getIngestEventMethod()),
            CallOptions.DEFAULT,
            request));
  }

  private static MethodDescriptor<byte[], byte[]> raw(MethodDescriptor<?, ?> method) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
        .setType(method.getType())
        .setFullMethodName(method.getFullMethodName())
        .build();
  }

  private static byte[] bytesField(int number, byte[] value) throws IOException {
    var out = new ByteArrayOutputStream();
    var coded = CodedOutputStream.newInstance(out);
    coded.writeBytes(number, ByteString.copyFrom(value));
    coded.flush();
    return out.toByteArray();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void await(BooleanSupplier holds, String what) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    try {
      while (!holds.getAsBoolean()) {
        assertThat(System.nanoTime()).as(what).isLessThan(deadline);
        var _ = new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(what, e);
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }
}
