package dev.agentmemory.engine.internal.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Many requests cost one flush, and a flush that fails is tried again.
class FlushLoopTest {

  private static final Duration INTERVAL = Duration.ofMillis(20);

  private final AtomicInteger flushes = new AtomicInteger();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch hold = new CountDownLatch(1);

  private static void request(FlushLoop loop, int times) {
    for (int i = 0; i < times; i++) {
      loop.request();
    }
  }

  private void holdTheFirst() {
    flushes.incrementAndGet();
    began.countDown();
    try {
      hold.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void requestsWhileAFlushRuns_costOneMore() throws InterruptedException {
    try (var loop = new FlushLoop(INTERVAL, this::holdTheFirst)) {
      request(loop, 100);
      began.await();
      request(loop, 100);
      hold.countDown();
      Await.until("the second flush", () -> flushes.get() == 2);
      request(loop, 1);
      Await.until("the third flush", () -> flushes.get() == 3);
    }
    assertThat(flushes).hasValue(3);
  }

  @Test
  void flush_waitsForTheInterval() {
    long start = System.nanoTime();
    Duration interval = Duration.ofMillis(200);
    try (var loop = new FlushLoop(interval, flushes::incrementAndGet)) {
      request(loop, 1);
      Await.until("the flush", () -> flushes.get() == 1);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(interval);
  }

  @Test
  void failedFlush_isToldAndTriedAgainWithoutARequest() {
    try (var loop = new FlushLoop(INTERVAL, this::failOnce)) {
      assertThat(loop.problem()).isEmpty();
      request(loop, 1);
      Await.until("the failure", () -> loop.problem().isPresent());
      assertThat(loop.problem()).contains("the disk is full");
      Await.until("the second flush", () -> loop.problem().isEmpty());
    }
    assertThat(flushes).hasValue(2);
  }

  private void failOnce() {
    if (flushes.incrementAndGet() == 1) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk is full");
    }
  }

  @Test
  void close_endsTheThreadWithoutAFlush() {
    try (var loop = new FlushLoop(Duration.ofHours(1), flushes::incrementAndGet)) {
      request(loop, 1);
    }
    assertThat(flushes).hasValue(0);
  }
}
