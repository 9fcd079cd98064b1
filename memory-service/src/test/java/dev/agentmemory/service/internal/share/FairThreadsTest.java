package dev.agentmemory.service.internal.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FairThreadsTest {

  private final AtomicLong nanos = new AtomicLong();

  /// Of each thread, as processor time is: a call must not be charged with that of another one.
  private final ThreadLocal<Long> processorNanos = ThreadLocal.withInitial(() -> 0L);

  private final List<FairThreads> opened = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private final CallClient greedy = new CallClient();
  private final CallClient modest = new CallClient();

  private FairThreads threads(int size, int queue) {
    var threads =
        new FairThreads(
            nanos::get,
            processorNanos::get,
            pool(size, "prompt"),
            pool(size, "background"),
            queue,
            size);
    opened.add(threads);
    return threads;
  }

  private static ThreadPoolExecutor pool(int size, String name) {
    return new ThreadPoolExecutor(
        size,
        size,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        Thread.ofPlatform().name(name).factory());
  }

  @AfterEach
  void close() {
    opened.forEach(FairThreads::close);
  }

  private void note(String what) {
    synchronized (done) {
      done.add(what);
    }
  }

  private List<String> noted() {
    synchronized (done) {
      return List.copyOf(done);
    }
  }

  /// A call that goes on until it is released.
  private static final class Held implements Runnable {

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    volatile String thread = "";

    @Override
    public void run() {
      thread = Thread.currentThread().getName();
      begun.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void execute_workThatFails_keepsItsThreadForTheNext() throws InterruptedException {
    FairThreads threads = threads(1, 10);
    CountDownLatch last = new CountDownLatch(1);

    for (int i = 0; i < 3; i++) {
      threads.execute(
          modest,
          () -> {
            throw new IllegalStateException("on purpose");
          },
          () -> note("refused"));
    }
    threads.execute(modest, last::countDown, () -> note("refused"));

    assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(noted()).isEmpty();
  }

  @Test
  void manyCallsOfOneClient_delayACallOfAnotherByOneTurn() throws Exception {
    FairThreads threads = threads(1, 100);
    var first = new Held();
    threads.execute(greedy, first, () -> note("refused"));
    first.begun.await();
    for (int i = 0; i < 50; i++) {
      threads.execute(greedy, () -> note("greedy"), () -> note("refused"));
    }
    var last = new CountDownLatch(1);
    threads.execute(
        modest,
        () -> {
          note("modest");
          last.countDown();
        },
        () -> note("refused"));

    first.release.countDown();
    last.await();

    assertThat(noted().getFirst()).isEqualTo("modest");
  }

  @Test
  void fullQueue_refusesTheClientThatHasMostCalls() throws Exception {
    FairThreads threads = threads(1, 4);
    var first = new Held();
    threads.execute(greedy, first, () -> note("refused"));
    first.begun.await();
    for (int i = 0; i < 4; i++) {
      threads.execute(greedy, () -> note("greedy"), () -> note("greedy refused"));
    }

    threads.execute(modest, () -> note("modest"), () -> note("modest refused"));
    threads.execute(greedy, () -> note("greedy"), () -> note("greedy refused"));

    assertThat(noted()).containsExactly("greedy refused", "greedy refused");
    first.release.countDown();
  }

  @Test
  void clientThatUsesThreadsMuch_leavesOthersAThread_whileTheyCall() throws Exception {
    FairThreads threads = threads(2, 100);
    spendMuch(threads);
    var one = new Held();
    var other = new Held();
    threads.execute(greedy, one, () -> note("refused"));
    one.begun.await();
    threads.execute(greedy, other, () -> note("refused"));

    var served = new CountDownLatch(1);
    threads.execute(modest, served::countDown, () -> note("refused"));

    served.await();
    assertThat(other.begun.getCount()).isOne();
    one.release.countDown();
    other.begun.await();
    other.release.countDown();
  }

  @Test
  void clientThatUsesThreadsMuch_getsThoseOfLowPriority_whileOthersCall() throws Exception {
    FairThreads threads = threads(2, 100);
    spendMuch(threads);
    var shared = new Held();
    threads.execute(greedy, shared, () -> note("refused"));
    shared.begun.await();
    var modestly = new Held();
    threads.execute(modest, modestly, () -> note("refused"));
    modestly.begun.await();
    shared.release.countDown();
    modestly.release.countDown();
    nanos.addAndGet(Duration.ofMillis(1_500).toNanos());
    assertThat(threads.usesMuch(greedy)).isTrue();
    var alone = new Held();
    threads.execute(greedy, alone, () -> note("refused"));
    alone.begun.await();
    alone.release.countDown();

    assertThat(shared.thread).isEqualTo("background");
    assertThat(modestly.thread).isEqualTo("prompt");
    assertThat(alone.thread).isEqualTo("prompt");
  }

  /// Its processor time falls below the limit while it has threads of a lower priority.
  @Test
  void clientWithManyCallsThatWait_getsThreadsOfLowPriority_whateverTimeItHasUsed()
      throws Exception {
    FairThreads threads = threads(1, 100);
    spendMuch(threads);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(threads.usesMuch(greedy)).isFalse();
    var modestly = new Held();
    threads.execute(modest, modestly, () -> note("refused"));
    modestly.begun.await();
    var first = new Held();
    threads.execute(greedy, first, () -> note("refused"));
    for (int i = 0; i < 8; i++) {
      threads.execute(greedy, () -> note(Thread.currentThread().getName()), () -> note("refused"));
    }
    assertThat(threads.usesMuch(greedy)).isTrue();
    modestly.release.countDown();
    first.begun.await();
    first.release.countDown();

    assertThat(first.thread).isEqualTo("background");
  }

  @Test
  void callThatFollowsOneOfTheOtherPriority_isMadeByAThreadOfItsOwn() throws Exception {
    FairThreads threads = threads(1, 100);
    spendMuch(threads);
    var first = new Held();
    threads.execute(greedy, first, () -> note("refused"));
    first.begun.await();
    var second = new Held();
    threads.execute(modest, second, () -> note("refused"));
    var third = new Held();
    threads.execute(greedy, third, () -> note("refused"));

    first.release.countDown();
    second.begun.await();
    second.release.countDown();
    third.begun.await();
    third.release.countDown();

    assertThat(List.of(first.thread, second.thread, third.thread))
        .containsExactly("background", "prompt", "background");
  }

  /// Lets one client use three seconds of processor time, and another one call after that.
  private void spendMuch(FairThreads threads) throws InterruptedException {
    var known = new CountDownLatch(1);
    threads.execute(modest, known::countDown, () -> note("refused"));
    known.await();
    var spent = new CountDownLatch(1);
    threads.execute(
        greedy,
        () -> {
          long spending = Duration.ofSeconds(3).toNanos();
          nanos.addAndGet(spending);
          processorNanos.set(processorNanos.get() + spending);
          spent.countDown();
        },
        () -> note("refused"));
    spent.await();
    while (threads.usesMuch(modest) || !threads.usesMuch(greedy)) {
      Thread.onSpinWait();
    }
    // The client that uses them little has called.
    var called = new CountDownLatch(1);
    threads.execute(modest, called::countDown, () -> note("refused"));
    called.await();
  }

  @Test
  void oneClientAlone_getsAllThreads() throws Exception {
    FairThreads threads = threads(4, 100);
    var all = new CyclicBarrier(5);
    for (int i = 0; i < 4; i++) {
      threads.execute(
          greedy,
          () -> {
            try {
              all.await();
            } catch (Exception e) {
              note("interrupted");
            }
          },
          () -> note("refused"));
    }

    all.await();

    assertThat(noted()).isEmpty();
  }

  @Test
  void callAfterTheClose_isRefused() {
    FairThreads threads = threads(1, 1);
    threads.close();

    threads.execute(modest, () -> note("run"), () -> note("refused"));

    assertThat(noted()).containsExactly("refused");
    assertThat(threads.isClosed()).isTrue();
  }
}
