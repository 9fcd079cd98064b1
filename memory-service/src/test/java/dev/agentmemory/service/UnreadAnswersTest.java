package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.RetryInfo;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ConnectionLimits.Unread;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.ErrorCode;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that make calls and do not read the answers, over a real port.
@Timeout(60)
class UnreadAnswersTest {

  private static final int MIB = 1 << 20;

  /// Each answer has about 1 MiB.
  private static final int CALLS = 40;

  private static final GetEventsRequest ALL =
      GetEventsRequest.newBuilder().setToTimestampMs(Samples.START + 1000).build();

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Fixture fixture =
      Fixture.open(config ->
          config.withConnections(
              new ConnectionLimits(
                  16,
                  Duration.ofMinutes(1),
                  Duration.ofMinutes(1),
                  new Unread(6 * MIB, 10 * MIB, Duration.ofSeconds(4)))));

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    fixture.close();
  }

  private ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", fixture.server.port())
            .usePlaintext()
            .flowControlWindow(65_535)
            .directExecutor()
            .build();
    channels.add(channel);
    return channel;
  }

  private void storeAMebibyte() {
    fixture.store.commit(
        Commit.append(
            IntStream.range(0, 4)
                .mapToObj(i -> Samples.event(i, Samples.START + i, "x".repeat(MIB / 4)))
                .toList()));
  }

  /// Makes calls and asks for no answer.
  ///
  /// @return how calls ended, as far as they have
  private static BlockingQueue<StatusRuntimeException> unread(ManagedChannel channel, int calls) {
    var ends = new LinkedBlockingQueue<StatusRuntimeException>();
    for (int i = 0; i < calls; i++) {
      ClientCall<GetEventsRequest, GetEventsResponse> call =
          channel.newCall(MemoryServiceGrpc.getGetEventsMethod(), CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              ends.add(status.asRuntimeException(trailers));
            }
          },
          new Metadata());
      call.sendMessage(ALL);
      call.halfClose();
    }
    return ends;
  }

  @Test
  void answersBeyondTheBudgetOfAConnection_areRefused_andOthersAreServed() throws Exception {
    storeAMebibyte();
    BlockingQueue<StatusRuntimeException> ends = unread(channel(), CALLS);
    for (int i = 0; i < CALLS - 10; i++) {
      StatusRuntimeException end = ends.poll(20, TimeUnit.SECONDS);
      assertThat(end).as("end of call %d", i).isNotNull();
      var refusal = new Refusals(end);
      refusal.is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL).says("not read yet");
      assertThat(refusal.detail(RetryInfo.class)).isPresent();
    }
    assertThat(read(channel())).isEqualTo(4);
  }

  @Test
  void connection_thatDoesNotRead_isCutOff_andItsBudgetIsFreeAgain() throws Exception {
    storeAMebibyte();
    unread(channel(), CALLS);
    unread(channel(), CALLS);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (fixture.server.refusedConnections().getOrDefault("unread", 0L) < 2) {
      assertThat(System.nanoTime()).as("both are cut off").isLessThan(deadline);
      var _ = new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
    }
    ManagedChannel reader = channel();
    for (int i = 0; i < 20; i++) {
      assertThat(read(reader)).isEqualTo(4);
    }
    assertThat(fixture.server.refusedConnections()).containsEntry("unread", 2L);
  }

  private static int read(ManagedChannel channel) {
    return MemoryServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(20, TimeUnit.SECONDS)
        .getEvents(ALL)
        .getEventsCount();
  }
}
