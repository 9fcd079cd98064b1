package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.RetryInfo;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.EventMessages;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What one connection may take of a real server.
@Timeout(60)
class ClientLimitsTest {

  private static final int MIB = 1 << 20;
  private static final int STREAMS = 3;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Fixture fixture =
      Fixture.open(config ->
          config.withConnections(
              ConnectionLimits.DEFAULT.withClient(
                  new ClientLimits(200_000, 256 << 20, STREAMS, 64, 4 * MIB, 8 * MIB))));

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    fixture.close();
  }

  private ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", fixture.server.port()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  private static Event event(int number) {
    return EventMessages.toWire(Samples.event(number, number, "word ".repeat(MIB / 5 - 20)));
  }

  /// What came of a call or a stream: the message of its refusal, or nothing.
  private static final class Outcome<T> implements StreamObserver<T> {

    final CompletableFuture<Status> end = new CompletableFuture<>();
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    @Override
    public void onNext(T answer) {}

    @Override
    public void onError(Throwable cause) {
      failure.complete(cause);
      end.complete(Status.fromThrowable(cause));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }

  @Test
  void requests_moreThanAClientMayHave_areRefusedWithADelay_andNothingElseGoesWrong()
      throws Exception {
    ManagedChannel flooding = channel();
    List<Outcome<IngestEventResponse>> outcomes = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      var outcome = new Outcome<IngestEventResponse>();
      MemoryServiceGrpc.newStub(flooding)
          .ingestEvent(IngestEventRequest.newBuilder().setEvent(event(i)).build(), outcome);
      outcomes.add(outcome);
    }
    List<Status> ends = new ArrayList<>();
    for (Outcome<IngestEventResponse> outcome : outcomes) {
      ends.add(outcome.end.get(30, TimeUnit.SECONDS));
    }
    assertThat(ends)
        .extracting(Status::getCode)
        .as(ends.toString())
        .containsOnly(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
    Throwable refusal =
        outcomes.stream()
            .filter(outcome -> outcome.failure.isDone())
            .findFirst()
            .orElseThrow()
            .failure
            .join();
    assertThat(new Refusals(refusal).detail(RetryInfo.class)).isPresent();
    assertThat(fixture.server.refusedCalls().get("requests")).isPositive();
  }

  @Test
  void streams_moreThanAClientMayHave_areRefusedWithADelay() throws Exception {
    ManagedChannel channel = channel();
    List<StreamObserver<IngestStreamRequest>> open = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      open.add(IngestServiceGrpc.newStub(channel).ingestStream(new Outcome<>()));
    }
    await(() -> fixture.server.openStreams() == STREAMS);

    var refused = new Outcome<IngestStreamResponse>();
    open.add(IngestServiceGrpc.newStub(channel).ingestStream(refused));
    new Refusals(refused.failure.get(30, TimeUnit.SECONDS))
        .is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL)
        .says("limits.client_streams");
    assertThat(fixture.server.refusedCalls()).containsEntry("streams", 1L);

    // Another client has its own.
    var other = new Outcome<IngestStreamResponse>();
    IngestServiceGrpc.newStub(channel()).ingestStream(other).onCompleted();
    assertThat(other.end.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);

    // And so has this one again when a stream has ended.
    open.getFirst().onCompleted();
    await(() -> fixture.server.openStreams() == STREAMS - 1);
    var again = new Outcome<IngestStreamResponse>();
    IngestServiceGrpc.newStub(channel).ingestStream(again).onCompleted();
    assertThat(again.end.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
  }

  @Test
  void memoryIsShort_callsAreRefusedWithADelay_statusIsServed() throws Exception {
    ManagedChannel channel = channel();
    var request = IngestEventRequest.newBuilder().setEvent(event(1)).build();
    fixture.server.refuseWhile(() -> true);

    var refused = new Outcome<IngestEventResponse>();
    MemoryServiceGrpc.newStub(channel).ingestEvent(request, refused);
    Refusals refusal = new Refusals(refused.failure.get(30, TimeUnit.SECONDS));
    refusal.is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL).says("memory.ceiling");
    assertThat(refusal.detail(RetryInfo.class)).isPresent();
    assertThat(AdminServiceGrpc.newBlockingStub(channel).ping(PingRequest.getDefaultInstance()))
        .isNotNull();
    assertThat(
            AdminServiceGrpc.newBlockingStub(channel)
                .getStats(GetStatsRequest.getDefaultInstance()))
        .isNotNull();

    fixture.server.refuseWhile(() -> false);
    var stored = new Outcome<IngestEventResponse>();
    MemoryServiceGrpc.newStub(channel).ingestEvent(request, stored);
    assertThat(stored.end.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
    assertThat(fixture.server.refusedCalls()).containsEntry("memory", 1L);
  }

  @Test
  void ourClient_refusedForNow_makesTheCallAgain() throws Exception {
    var event = Samples.event(1);
    var other = Samples.event(2);
    try (MemoryClient client = fixture.client()) {
      var asked = new AtomicInteger();
      fixture.server.refuseWhile(() -> asked.incrementAndGet() <= 2);
      assertThat(client.ingest().append(event)).isEqualTo(new Receipt.Created(event.id()));
      assertThat(asked).hasValue(3);

      asked.set(0);
      assertThat(client.ingest().appendAsync(other).get(30, TimeUnit.SECONDS))
          .isEqualTo(new Receipt.Created(other.id()));
      assertThat(asked).hasValue(3);

      fixture.server.refuseWhile(() -> true);
      assertThatThrownBy(() -> client.ingest().append(event))
          .isInstanceOfSatisfying(
              MemoryException.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.QUEUE_FULL));
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }
}
