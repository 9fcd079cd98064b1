package dev.agentmemory.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.testkit.Await;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class BackgroundLoopTest {

  private static final Duration LONG = Duration.ofDays(1);

  private final BlockingQueue<Integer> steps = new LinkedBlockingQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private BackgroundLoop loop = new BackgroundLoop("unused", () -> LONG);

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void step_thatWantsNoWait_isFollowedByTheNext() throws InterruptedException {
    loop = new BackgroundLoop("test", () -> step(count.get() < 2 ? Duration.ZERO : LONG));
    loop.start();
    assertThat(next()).isEqualTo(1);
    assertThat(next()).isEqualTo(2);
    assertThat(next()).isEqualTo(3);
  }

  @Test
  void wake_whileItWaits_beginsTheNextStep() throws InterruptedException {
    loop = new BackgroundLoop("test", LONG, () -> step(LONG));
    loop.start();
    loop.wake();
    assertThat(next()).isEqualTo(1);
    loop.wake();
    assertThat(next()).isEqualTo(2);
  }

  /// What has changed meanwhile may be what the step has not seen.
  @Test
  void wake_whileAStepRuns_isNotLost() throws InterruptedException {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    loop =
        new BackgroundLoop(
            "test",
            () -> {
              inside.countDown();
              go.await();
              return step(LONG);
            });
    loop.start();
    inside.await();
    loop.wake();
    go.countDown();
    assertThat(next()).isEqualTo(1);
    assertThat(next()).isEqualTo(2);
  }

  @Test
  void step_thatThrows_doesNotEndTheLoop() throws InterruptedException {
    loop =
        new BackgroundLoop(
            "test",
            () -> {
              var _ = step(LONG);
              throw new IllegalStateException("once");
            });
    loop.start();
    assertThat(next()).isEqualTo(1);
    loop.wake();
    assertThat(next()).isEqualTo(2);
  }

  @Test
  void close_whileAStepRuns_waitsForItsEnd_andKeepsAnInterrupt() throws InterruptedException {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    loop =
        new BackgroundLoop(
            "test",
            () -> {
              inside.countDown();
              go.await();
              return step(Duration.ZERO);
            });
    loop.start();
    inside.await();
    var interrupted = new LinkedBlockingQueue<Boolean>();
    Thread closing =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              loop.close();
              interrupted.add(Thread.interrupted());
            });
    Await.untilWaiting(closing);
    assertThat(interrupted).as("not before the step is done").isEmpty();
    go.countDown();
    closing.join();
    assertThat(interrupted).containsExactly(true);
    assertThat(count).hasValue(1);
  }

  @Test
  void close_beforeTheStart_endsAtOnce() throws InterruptedException {
    loop.close();
    loop.close(LONG);
    assertThat(steps).isEmpty();
  }

  private Duration step(Duration wait) {
    steps.add(count.incrementAndGet());
    return wait;
  }

  private int next() throws InterruptedException {
    Integer step = steps.poll(10, TimeUnit.SECONDS);
    assertThat(step).isNotNull();
    return step;
  }
}
