package dev.agentmemory.service.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Await;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.DefaultEventLoop;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {

  private static final long LIMIT = 1000;
  private static final long MIB = 1 << 20;
  private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

  private long inUse;
  private long reserved;
  private final DirectMemory memory = new DirectMemory(LIMIT, _ -> inUse, _ -> reserved);

  private void are(long inUse, long reserved) {
    this.inUse = inUse;
    this.reserved = reserved;
    memory.received(MIB, ALLOCATOR);
  }

  @Test
  void memory_inUse_isShortFromOneHalf_andFullFromThreeQuartersOn() {
    are(499, 600);
    assertThat(memory.isShort()).isFalse();
    are(500, 600);
    assertThat(memory.isShort()).isTrue();
    assertThat(memory.isFull()).isFalse();
    are(750, 800);
    assertThat(memory.isFull()).isTrue();
  }

  @Test
  void memory_reservedNearTheLimit_isShortFromAQuarter_andFullFromOneHalfOn() {
    are(249, 875);
    assertThat(memory.isShort()).isFalse();
    are(250, 875);
    assertThat(memory.isShort()).isTrue();
    assertThat(memory.isFull()).isFalse();
    are(500, 875);
    assertThat(memory.isFull()).isTrue();
  }

  @Test
  void memory_littleReceived_isLookedAtWhileItIsShortOnly() {
    inUse = 800;
    memory.received(1, ALLOCATOR);
    assertThat(memory.isFull()).isFalse();
    are(800, 800);
    assertThat(memory.isFull()).isTrue();
    inUse = 100;
    memory.received(1, ALLOCATOR);
    assertThat(memory.isShort()).isFalse();
  }

  @Test
  void partOfAThread_connectionsOfItBegin_isKeptOnceUntilTheThreadEnds() throws Exception {
    var pool = new PooledByteBufAllocator(/* preferDirect= */ true);
    var thread = new DefaultEventLoop();
    for (int i = 0; i < 3; i++) {
      var _ = thread.submit(() -> memory.keepPart(pool, thread)).sync();
      // What one byte takes.
      assertThat(pool.pinnedDirectMemory()).isBetween(1L, 64L);
    }

    var _ = thread.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    Await.until("the part is given back", () -> pool.pinnedDirectMemory() == 0);
  }
}
