package dev.agentmemory.service.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.internal.connection.AcceptedConnection.Kind;
import io.grpc.netty.shaded.io.netty.buffer.AbstractByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a connection does when direct memory is used up.
class AcceptedConnectionTest {

  private static OutOfMemoryError usedUp() {
    return new OutOfMemoryError("Cannot reserve 1 bytes of direct buffer memory (limit: 1)");
  }

  /// Allocates as long as the test lets it.
  private static final class Bounded extends AbstractByteBufAllocator {

    private boolean full = true;

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      if (full) {
        throw usedUp();
      }
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private final Bounded allocator = new Bounded();
  private final DirectMemory memory = new DirectMemory(100, _ -> 10, _ -> 99);
  private final OpenConnections connections =
      new OpenConnections(() -> 0, ConnectionLimits.DEFAULT, memory, Optional.empty());
  private final EmbeddedChannel channel = new EmbeddedChannel();

  AcceptedConnectionTest() {
    channel.config().setAllocator(allocator);
    channel
        .pipeline()
        .addFirst(
            new AcceptedConnection(
                channel,
                Kind.UNIX,
                memory,
                new ReadPace(() -> 0, 1 << 20),
                new ReadPace(() -> 0, 1 << 20),
                Duration.ofHours(1),
                connections));
    // What is reserved is looked at.
    memory.received(1 << 20, allocator);
  }

  @AfterEach
  void close() {
    var _ = channel.finishAndReleaseAll();
    connections.close();
  }

  private static ByteBuf bytes(int count) {
    return Unpooled.wrappedBuffer(new byte[count]);
  }

  private void pass(Duration time) {
    channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
    var _ = channel.runScheduledPendingTasks();
    channel.runPendingTasks();
  }

  @Test
  void read_withoutMemory_waitsInItsOrderUntilThereIsSome() {
    var _ = channel.writeInbound(bytes(1));
    var _ = channel.writeInbound(bytes(2));
    pass(Duration.ofMillis(20));
    assertThat(channel.inboundMessages()).isEmpty();
    assertThat(channel.config().isAutoRead()).isFalse();

    allocator.full = false;
    pass(Duration.ofMillis(20));
    assertThat(channel.inboundMessages())
        .extracting(message -> ((ByteBuf) message).readableBytes())
        .containsExactly(1, 2);
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void read_thatHasWaitedForMemory_isPacedLikeOthers() {
    var _ = channel.writeInbound(bytes(2 << 20));
    allocator.full = false;
    pass(Duration.ofMillis(20));
    assertThat(channel.inboundMessages()).hasSize(1);
    assertThat(channel.config().isAutoRead()).isFalse();

    pass(Duration.ofSeconds(1));
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void read_withoutMemoryForLong_closesTheConnection_andReleasesWhatWasRead() {
    ByteBuf read = bytes(1);
    var _ = channel.writeInbound(read);
    for (int i = 0; i < 300 && channel.isOpen(); i++) {
      pass(Duration.ofMillis(10));
    }
    assertThat(channel.isOpen()).isFalse();
    assertThat(read.refCnt()).isZero();
    assertThat(connections.refused()).containsEntry("exhausted", 1L);
  }

  @Test
  void read_thatCannotBeAllocated_closesTheConnection_withoutAnError() {
    channel.pipeline().fireExceptionCaught(usedUp());
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(connections.refused()).containsEntry("exhausted", 1L);
    assertThatCode(channel::checkException).doesNotThrowAnyException();
  }
}
