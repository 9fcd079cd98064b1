package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.testkit.Await;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Work that is done side by side, and looks as if one had done it.
class WorkerPoolTest {

  private static final int THREADS = 3;

  private final WorkerPool mapper = new WorkerPool(THREADS);

  @AfterEach
  void close() {
    mapper.close();
  }

  @Test
  void map_ofMoreItemsThanThreads_keepsTheirOrder() {
    List<Integer> items = IntStream.range(0, 1000).boxed().toList();
    assertThat(mapper.map(items, item -> "item " + item))
        .isEqualTo(items.stream().map(item -> "item " + item).toList());
    assertThat(mapper.map(List.of(7), item -> item + 1)).containsExactly(8);
    assertThat(mapper.map(List.<Integer>of(), item -> item + 1)).isEmpty();
  }

  /// All threads must meet three times before any of them continues.
  @Test
  void map_usesAllThreadsAtOnce_theCallersToo() {
    var together = new CyclicBarrier(THREADS);
    Set<Thread> workers = Collections.newSetFromMap(new ConcurrentHashMap<>());
    mapper.map(
        IntStream.range(0, THREADS * 3).boxed().toList(),
        item -> {
          workers.add(Thread.currentThread());
          meet(together);
          return item;
        });
    assertThat(workers).hasSize(THREADS).contains(Thread.currentThread());
  }

  @Test
  void begin_isDoneByAHelper() throws InterruptedException {
    var begun = new CountDownLatch(1);
    Supplier<Thread> worker =
        mapper.begin(() -> {
          begun.countDown();
          return Thread.currentThread();
        });
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(worker.get()).isNotEqualTo(Thread.currentThread());
  }

  @Test
  void begin_whileAllHelpersWork_isDoneByTheCaller() {
    var together = new CyclicBarrier(THREADS);
    var end = new CountDownLatch(1);
    List<Supplier<Boolean>> busy =
        IntStream.range(1, THREADS)
            .<Supplier<Boolean>>mapToObj(_ ->
                mapper.begin(() -> {
                  meet(together);
                  return awaits(end);
                }))
            .toList();
    meet(together);
    assertThat(mapper.begin(Thread::currentThread).get()).isEqualTo(Thread.currentThread());
    end.countDown();
    assertThat(busy).allMatch(Supplier::get);
  }

  @Test
  void begin_failure_isTheCallersOwn() throws InterruptedException {
    var failure = new IllegalStateException("no luck");
    var begun = new CountDownLatch(1);
    Supplier<Boolean> work =
        mapper.begin(() -> {
          begun.countDown();
          throw failure;
        });
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(work::get).isSameAs(failure);
  }

  @Test
  void failureOfAHelper_isThrownWhenNoHelperWorksAnyMore() {
    Thread caller = Thread.currentThread();
    var together = new CyclicBarrier(THREADS);
    var finished = new AtomicInteger();
    assertThatThrownBy(() ->
            mapper.map(
                IntStream.range(0, THREADS).boxed().toList(),
                item -> {
                  meet(together);
                  String name = Thread.currentThread().getName();
                  if (name.endsWith("-1")) {
                    throw new IllegalStateException("no luck");
                  }
                  if (!Thread.currentThread().equals(caller)) {
                    Await.untilWaiting(caller);
                  }
                  finished.incrementAndGet();
                  return item;
                }))
        .hasMessage("no luck");
    assertThat(finished).hasValue(THREADS - 1);
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void exceptionOfAHelper_isTheCallersOwn() {
    var failure = new IllegalStateException("no luck");
    assertOfAHelper(
        failure,
        () -> {
          throw failure;
        });
  }

  @Test
  void errorOfAHelper_isTheCallersOwn() {
    var failure = new AssertionError("links to nowhere");
    assertOfAHelper(
        failure,
        () -> {
          throw failure;
        });
  }

  private void assertOfAHelper(Throwable failure, Runnable fail) {
    Thread caller = Thread.currentThread();
    var together = new CyclicBarrier(2);
    assertThatThrownBy(() ->
            mapper.map(
                List.of(1, 2),
                item -> {
                  meet(together);
                  if (!Thread.currentThread().equals(caller)) {
                    fail.run();
                  }
                  return item;
                }))
        .isSameAs(failure);
  }

  @Test
  void exceptionOfTheCaller_passesThrough_andThePoolContinues() {
    Thread caller = Thread.currentThread();
    var together = new CyclicBarrier(2);
    var failure = new IllegalStateException("no luck");
    assertThatThrownBy(() ->
            mapper.map(
                List.of(1, 2),
                item -> {
                  meet(together);
                  if (Thread.currentThread().equals(caller)) {
                    throw failure;
                  }
                  return item;
                }))
        .isSameAs(failure);
    assertThat(mapper.map(List.of(1, 2, 3, 4, 5), item -> item * 2))
        .containsExactly(2, 4, 6, 8, 10);
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the threads did not work at the same time", e);
    }
  }

  @Test
  void helpersThatHang_withSomebodyElsesWork_holdNobodyUp() throws Exception {
    var hanging = new CountDownLatch(1);
    var begun = new CountDownLatch(THREADS);
    CompletableFuture<List<Integer>> stuck =
        CompletableFuture.supplyAsync(() ->
            mapper.map(
                List.of(1, 2, 3),
                item -> {
                  begun.countDown();
                  wait(hanging);
                  return item;
                }));
    wait(begun);
    assertThat(mapper.map(List.of(4, 5, 6), item -> item + 1)).containsExactly(5, 6, 7);
    assertThat(stuck).isNotDone();
    hanging.countDown();
    assertThat(stuck.get(10, TimeUnit.SECONDS)).containsExactly(1, 2, 3);
  }

  private static void wait(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
