package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many jobs run at once, and on which threads.
class JobThreadsTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private final JobThreads threads = new JobThreads(1, Duration.ofHours(1));
  private final BlockingQueue<Thread> began = new LinkedBlockingQueue<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);

  @AfterEach
  void close() {
    threads.close();
  }

  @Test
  void execute_noPlaceFree_waitsForOne() throws InterruptedException {
    threads.execute(work(first));
    Thread only = next();
    threads.execute(work(second));
    first.countDown();
    assertThat(next()).isSameAs(only);
  }

  @Test
  void executeBeside_othersWait_beginsBeforeThem() throws InterruptedException {
    threads.execute(work(first));
    Thread only = next();
    threads.execute(work(second));
    var beside = new CountDownLatch(1);
    threads.executeBeside(beside::countDown);
    assertThat(beside.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(began).as("the one that waits").isEmpty();
    assertThat(threads.places()).isEqualTo(1);
    first.countDown();
    assertThat(next()).isSameAs(only);
  }

  @Test
  void executeBeside_severalTimes_eachBeginsAtOnce() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      threads.executeBeside(work(first));
    }
    assertThat(next()).isNotSameAs(next());
    assertThat(next().getName()).startsWith("memory-job-");
  }

  @Test
  void addThread_somethingWaits_letsItBegin() throws InterruptedException {
    threads.execute(work(first));
    Thread busy = next();
    threads.execute(work(second));
    threads.addThread();
    assertThat(next()).isNotSameAs(busy);
  }

  @Test
  void removeThread_bothPlacesTaken_leavesOneOnceARunHasEnded() throws InterruptedException {
    threads.addThread();
    threads.execute(work(first));
    Thread one = next();
    threads.execute(work(second));
    Thread other = next();
    threads.removeThread();
    threads.execute(work(first));

    first.countDown();
    assertThat(one.join(LONG)).isTrue();
    assertThat(began).as("the one that waits").isEmpty();
    second.countDown();
    assertThat(next()).isSameAs(other);
  }

  @Test
  void addThreadAndRemoveThread_byTwoThreads_areCounted() throws InterruptedException {
    Thread adder = Thread.ofPlatform().start(threads::addThread);
    assertThat(adder.join(LONG)).isTrue();
    assertThat(threads.places()).isEqualTo(2);
    Thread remover = Thread.ofPlatform().start(threads::removeThread);
    assertThat(remover.join(LONG)).isTrue();
    assertThat(threads.places()).isEqualTo(1);
    threads.addThread();
    assertThat(threads.places()).isEqualTo(2);
  }

  @Test
  void idleThreads_areGone() throws InterruptedException {
    try (var brief = new JobThreads(1, Duration.ofMillis(1))) {
      first.countDown();
      brief.execute(work(first));
      assertThat(next().join(LONG)).isTrue();
      brief.executeBeside(work(first));
      assertThat(next().join(LONG)).isTrue();
    }
  }

  @Test
  void close_interruptsWhatRuns() throws InterruptedException {
    threads.execute(work(first));
    threads.executeBeside(work(second));
    Thread one = next();
    Thread other = next();
    threads.close();
    assertThat(one.join(LONG)).isTrue();
    assertThat(other.join(LONG)).isTrue();
  }

  private Runnable work(CountDownLatch release) {
    return () -> {
      began.add(Thread.currentThread());
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private Thread next() throws InterruptedException {
    Thread thread = began.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(thread).as("something that begins within 10 s").isNotNull();
    return thread == null ? Thread.currentThread() : thread;
  }
}
