package dev.agentmemory.service.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.internal.connection.AcceptedConnection.Kind;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.types.MemoryException;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which requests are refused, and what becomes of their connection.
class RequestBytesTest {

  private static final int MIB = 1 << 20;
  private static final int KIB_16 = 16 << 10;

  /// A call that begins when its connection is read from.
  private final class Begun<Q, A> extends ServerCall<Q, A> {

    private final MethodDescriptor<Q, A> method;
    private final RequestBytes.Stream request;
    private final List<Throwable> refusals = new ArrayList<>();

    Begun(MethodDescriptor<Q, A> method) {
      this.method = method;
      this.request =
          (RequestBytes.Stream)
              requests.newServerStreamTracer(method.getFullMethodName(), new Metadata());
      request.of(this);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      refusals.add(status.getCause() == null ? status.asException() : status.getCause());
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
      return method;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(A message) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    boolean isRefusedForMemory() {
      String why = DirectMemoryShortage.refusal().getMessage();
      return refusals.size() == 1
          && refusals.getFirst() instanceof MemoryException refusal
          && String.valueOf(refusal.getMessage()).equals(why);
    }
  }

  private long inUse;
  private final DirectMemory memory = new DirectMemory(100, _ -> inUse, _ -> 0);
  private final RequestBytes requests =
      new RequestBytes(
          ClientLimits.DEFAULT,
          memory,
          Set.of(
              MemoryServiceGrpc.getIngestEventMethod().getFullMethodName(),
              IngestServiceGrpc.getIngestStreamMethod().getFullMethodName()));
  private final OpenConnections connections =
      new OpenConnections(() -> 0, ConnectionLimits.DEFAULT, memory, Optional.empty());
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Runnable whileReading = () -> {};

  RequestBytesTest() {
    channel
        .pipeline()
        .addLast(
            new AcceptedConnection(
                channel,
                Kind.UNIX,
                memory,
                new ReadPace(() -> 0, MIB),
                new ReadPace(() -> 0, MIB),
                Duration.ofHours(1),
                connections),
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                whileReading.run();
                context.fireChannelRead(message);
              }
            });
  }

  @AfterEach
  void close() {
    var _ = channel.finishAndReleaseAll();
    connections.close();
  }

  private void use(long percent) {
    inUse = percent;
    memory.received(MIB, UnpooledByteBufAllocator.DEFAULT);
  }

  private void read(int bytes) {
    var _ = channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
    whileReading = () -> {};
  }

  private <Q, A> Begun<Q, A> begin(MethodDescriptor<Q, A> method) {
    List<Begun<Q, A>> begun = new ArrayList<>();
    whileReading = () -> begun.add(new Begun<>(method));
    read(1);
    return begun.getFirst();
  }

  @Test
  void request_whileMemoryIsShort_isRefusedWhenItsClientHasMoreThanLittle() {
    var call = begin(MemoryServiceGrpc.getIngestEventMethod());
    use(50);
    call.request.inboundWireSize(MIB);
    assertThat(call.refusals).isEmpty();
    call.request.inboundWireSize(1);
    assertThat(call.isRefusedForMemory()).isTrue();
    assertThat(requests.refusedForMemory()).isOne();
  }

  @Test
  void request_whileMemoryIsFull_isRefusedUnlessItIsSmall() {
    var small = begin(MemoryServiceGrpc.getIngestEventMethod());
    var large = begin(MemoryServiceGrpc.getIngestEventMethod());
    use(75);
    small.request.inboundWireSize(4 << 10);
    large.request.inboundWireSize((4 << 10) + 1);
    assertThat(small.refusals).isEmpty();
    assertThat(large.isRefusedForMemory()).isTrue();
  }

  /// What has arrived of a stream is in memory, also while the server does not read it further.
  @Test
  void stream_thatWaits_isRefusedWhenMuchArrivesWhileMemoryIsFull() {
    var stream = begin(IngestServiceGrpc.getIngestStreamMethod());
    use(75);
    read(KIB_16 - 1);
    assertThat(stream.refusals).isEmpty();
    read(KIB_16);
    assertThat(stream.isRefusedForMemory()).isTrue();
  }

  /// The handler may have stored something.
  @Test
  void request_thatIsComplete_isNotRefused() {
    var complete = begin(MemoryServiceGrpc.getIngestEventMethod());
    complete.request.inboundWireSize(MIB);
    complete.request.inboundMessageRead(0, MIB, MIB);
    var incomplete = begin(MemoryServiceGrpc.getIngestEventMethod());
    incomplete.request.inboundWireSize(MIB);
    use(75);
    read(KIB_16);
    assertThat(complete.refusals).isEmpty();
    assertThat(incomplete.isRefusedForMemory()).isTrue();
  }

  /// A client that sends them one after the other would keep the transport busy.
  @Test
  void request_thatIsTooLarge_isRefused_andItsConnectionIsReadLater() {
    var call = begin(SearchServiceGrpc.getSearchMethod());
    call.request.inboundWireSize(RequestBytes.SMALL);
    channel.runPendingTasks();
    assertThat(channel.config().isAutoRead()).isTrue();
    call.request.inboundWireSize(1);
    channel.runPendingTasks();
    assertThat(call.refusals).hasSize(1);
    assertThat(channel.config().isAutoRead()).isFalse();
    channel.advanceTimeBy(RequestBytes.REST.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void request_thatHasEnded_isForgotten() {
    var ended = begin(IngestServiceGrpc.getIngestStreamMethod());
    ended.request.streamClosed(Status.OK);
    use(75);
    read(KIB_16);
    assertThat(ended.refusals).isEmpty();
  }
}
