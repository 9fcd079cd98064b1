package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.RetryInfo;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestEventResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.wire.EventMessages;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
}
