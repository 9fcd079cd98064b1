package dev.agentmemory.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.spi.Deferral;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// When the worker does not go on at once: after a failure, and while events pour in.
class OutboxWorkerPaceTest {

  private static final int BATCH = 4;

  /// Looks at the outbox in the longest rest: one every 50 ms, for a second.
  private static final int MOST_LOOKS = 20;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Counting projection = new Counting();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void failure_isFollowedByAPause_whichCloseCutsShort() throws InterruptedException {
    projection.trouble = true;
    ingest(1);
    try (OutboxWorker worker = worker(store, Duration.ofHours(1))) {
      worker.start();
      assertThat(projection.calls.poll(10, TimeUnit.SECONDS)).isNotNull();
      assertThat(projection.calls.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  /// That it is told again shows that the failures before the success are no longer counted.
  @Test
  void failuresInARow_areToldOnce_andAfterASuccessAgain() throws InterruptedException {
    var logger = (Logger) LoggerFactory.getLogger(OutboxWorker.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.WARN);
    try (OutboxWorker worker = worker(store, Duration.ofMillis(1))) {
      worker.start();
      for (int i = 1; i <= 2; i++) {
        projection.calls.clear();
        projection.trouble = true;
        ingest(i);
        // The last of them may succeed already: three failures.
        for (int call = 0; call < 4; call++) {
          assertThat(projection.calls.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
        projection.trouble = false;
        assertThat(projection.done.poll(10, TimeUnit.SECONDS)).isEqualTo(i);
      }
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
    assertThat(lines.list)
        .filteredOn(line -> line.getFormattedMessage().contains("waits: busy"))
        .hasSize(2);
  }

  /// The worker has no thread here, so it has looked at its making only, and when it was asked.
  @Test
  void delay_isTheTimeSinceAllWasApplied_andZeroWhileItIs() {
    var now = new AtomicReference<>(Instant.EPOCH);
    var config = new WorkerConfig(BATCH, Duration.ZERO, 1, Duration.ofMillis(50));
    try (var worker = new OutboxWorker(now::get, store, projection, config, new Quiet())) {
      now.set(Instant.EPOCH.plusSeconds(60));
      assertThat(worker.delay()).isZero();
      ingest(1);
      now.set(Instant.EPOCH.plusSeconds(75));
      assertThat(worker.behind()).isEqualTo(1);
      assertThat(worker.delay()).hasSeconds(15);
      assertThat(worker.step()).isTrue();
      assertThat(worker.behind()).isZero();
      assertThat(worker.delay()).isZero();
    }
  }

  @Test
  void workersOfAStore_applyFewEntriesOneAfterTheOther() throws InterruptedException {
    assertThat(meetings(/* entries= */ 1, Duration.ofMillis(200))).isZero();
  }

  @Test
  void workersOfAStore_workOffABacklogAtOnce() throws InterruptedException {
    assertThat(meetings(/* entries= */ BATCH, Duration.ofSeconds(20))).isEqualTo(2);
  }

  /// How many of two workers meet the other one while each applies its first batch.
  ///
  /// @param wait how long each waits for the other one
  private int meetings(int entries, Duration wait) throws InterruptedException {
    IntStream.rangeClosed(1, entries).forEach(this::ingest);
    var here = new CyclicBarrier(2);
    var met = new AtomicInteger();
    var applied = new CountDownLatch(2);
    var turn = new Mutex();
    try (OutboxWorker one = meeting("one", here, wait, met, applied, turn);
        OutboxWorker other = meeting("other", here, wait, met, applied, turn)) {
      one.start();
      other.start();
      assertThat(applied.await(60, TimeUnit.SECONDS)).isTrue();
    }
    return met.get();
  }

  private OutboxWorker meeting(
      String name,
      CyclicBarrier here,
      Duration wait,
      AtomicInteger met,
      CountDownLatch applied,
      Mutex turn) {
    var projection =
        new Projection() {
          private long cursor;

          @Override
          public String name() {
            return name;
          }

          @Override
          public long cursor() {
            return cursor;
          }

          @Override
          public int apply(List<OutboxEntry> entries) {
            try {
              var _ = here.await(wait.toMillis(), TimeUnit.MILLISECONDS);
              met.incrementAndGet();
            } catch (TimeoutException e) {
              // The other one is not here. It finds a barrier that it can wait at.
              here.reset();
            } catch (InterruptedException | BrokenBarrierException e) {
              throw new AssertionError(e);
            }
            cursor = entries.getLast().sequence();
            applied.countDown();
            return entries.size();
          }

          @Override
          public void passOver(long sequence) {
            cursor = sequence;
          }
        };
    return new OutboxWorker(
        () -> Instant.EPOCH,
        store,
        projection,
        new WorkerConfig(BATCH, Duration.ZERO, 1, Duration.ofMillis(50)),
        Deferral.NONE,
        turn,
        new Quiet());
  }

  @Test
  void pause_doublesWithEachFailureInARow_upTo64Fold() {
    var config = new WorkerConfig(BATCH, Duration.ZERO, 1, Duration.ofMillis(50));
    assertThat(config.pauseAfter(1)).hasMillis(50);
    assertThat(config.pauseAfter(2)).hasMillis(100);
    assertThat(config.pauseAfter(7)).hasMillis(3200);
    assertThat(config.pauseAfter(8)).hasMillis(3200);
    assertThat(config.pauseAfter(Integer.MAX_VALUE)).hasMillis(3200);
  }

  @Test
  void ingestBurst_delaysTheFirstBatch_byASecondAtMost() throws InterruptedException {
    // A look for the first value, then as many as fit into the pause.
    assertThat(looksBeforeTheFirstBatch(look -> 100L * look)).isEqualTo(1 + MOST_LOOKS);
  }

  @Test
  void ingestBurst_over_isAppliedAtTheNextLook() throws InterruptedException {
    assertThat(looksBeforeTheFirstBatch(look -> 100L * Math.min(look, 3))).isEqualTo(4);
  }

  @Test
  void ingestBurst_isMoreThanAQuarterOfABatchBetweenTwoLooks() throws InterruptedException {
    assertThat(looksBeforeTheFirstBatch(look -> 2L * look)).isEqualTo(1 + MOST_LOOKS);
  }

  /// A quarter of a batch, or less, between two looks is no burst.
  @Test
  void fewEntries_areAppliedAtOnce() throws InterruptedException {
    assertThat(looksBeforeTheFirstBatch(look -> look)).isEqualTo(1);
  }

  /// What the worker waits for, and how long: for anything, then for a whole batch, and less long
  /// for anything when the projection has more to do.
  @Test
  void waits_areForAnEntry_thenForTheRestOfABatch_andShortWhenThereIsMoreToMaintain()
      throws InterruptedException {
    var waits = new LinkedBlockingQueue<List<Object>>();
    MemoryStore noting =
        InterceptedStore.of(
            store,
            (method, arguments, call) -> {
              if (method.equals("await")) {
                waits.add(List.of(arguments));
              }
              return call.make();
            });
    ingest(1);
    projection.moreToMaintain = true;
    var config = new WorkerConfig(BATCH, Duration.ofMillis(7), 1, Duration.ofMillis(1));
    try (var worker =
        new OutboxWorker(() -> Instant.EPOCH, noting, projection, config, new Quiet())) {
      worker.start();
      assertThat(waits.poll(10, TimeUnit.SECONDS)).containsExactly(0L, Duration.ofSeconds(1));
      assertThat(waits.poll(10, TimeUnit.SECONDS)).containsExactly(3L, Duration.ofMillis(7));
      assertThat(waits.poll(10, TimeUnit.SECONDS)).containsExactly(1L, Duration.ofMillis(100));
      projection.moreToMaintain = false;
      List<Object> wait = waits.poll(10, TimeUnit.SECONDS);
      while (wait != null && wait.getLast().equals(Duration.ofMillis(100))) {
        wait = waits.poll(10, TimeUnit.SECONDS);
      }
      assertThat(wait).containsExactly(1L, Duration.ofSeconds(1));
    }
  }

  @Test
  void deferral_keepsTheWorkerFromItsEntries_untilItEnds() throws InterruptedException {
    var left = new AtomicReference<>(Duration.ofMillis(1));
    var asked = new LinkedBlockingQueue<Duration>();
    ingest(1);
    try (OutboxWorker worker =
        deferred(
            BATCH,
            () -> {
              asked.add(left.get());
              return left.get();
            })) {
      worker.start();
      for (int times = 0; times < 5; times++) {
        assertThat(asked.poll(10, TimeUnit.SECONDS)).isPositive();
      }
      assertThat(projection.calls).isEmpty();
      left.set(Duration.ZERO);
      assertThat(projection.done.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void deferral_whileTooManyEntriesWait_isNone() throws InterruptedException {
    var asked = new LinkedBlockingQueue<Integer>();
    for (int number = 1; number <= BATCH; number++) {
      ingest(number);
    }
    try (OutboxWorker worker =
        deferred(
            BATCH,
            () -> {
              asked.add(1);
              return Duration.ofMillis(1);
            })) {
      worker.start();
      for (int times = 0; times < 5; times++) {
        assertThat(asked.poll(10, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(projection.calls).isEmpty();
      ingest(BATCH + 1);
      assertThat(projection.done.poll(10, TimeUnit.SECONDS)).isEqualTo(BATCH);
    }
  }

  @Test
  void deferral_leavesTheProjectionItsMaintenance() throws InterruptedException {
    ingest(1);
    projection.moreToMaintain = true;
    try (OutboxWorker worker = deferred(BATCH, () -> Duration.ofHours(1))) {
      worker.start();
      for (int times = 0; times < 3; times++) {
        assertThat(projection.maintained.poll(10, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(projection.calls).isEmpty();
    }
  }

  private OutboxWorker deferred(long mostBehind, Deferral deferral) {
    var config = new WorkerConfig(BATCH, Duration.ZERO, 1, mostBehind, Duration.ofMillis(1));
    return new OutboxWorker(
        () -> Instant.EPOCH, store, projection, config, deferral, new Mutex(), new Quiet());
  }

  @Test
  void config_outOfItsBounds_isRefused() {
    assertThat(config(1, 1).batch()).isEqualTo(1);
    assertThat(config(10_000, 100).attempts()).isEqualTo(100);
    assertThatIllegalArgumentException().isThrownBy(() -> config(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> config(10_001, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> config(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> config(1, 101));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WorkerConfig(1, Duration.ZERO, 1, 0, Duration.ZERO));
  }

  private static WorkerConfig config(int batch, int attempts) {
    return new WorkerConfig(batch, Duration.ZERO, attempts, Duration.ZERO);
  }

  /// @param heads the head of the outbox at the first look, the second, and so on
  private int looksBeforeTheFirstBatch(IntToLongFunction heads) throws InterruptedException {
    ingest(1);
    var looks = new AtomicInteger();
    MemoryStore pouring = withHeads(looks, heads);
    projection.looks = looks;
    try (OutboxWorker worker = worker(pouring, Duration.ofMillis(1))) {
      worker.start();
      Integer seen = projection.calls.poll(60, TimeUnit.SECONDS);
      assertThat(seen).isNotNull();
      // The last look belongs to the batch.
      return seen - 1;
    }
  }

  private MemoryStore withHeads(AtomicInteger looks, IntToLongFunction heads) {
    return InterceptedStore.of(
        store,
        (method, _, call) ->
            method.equals("head") ? heads.applyAsLong(looks.incrementAndGet()) : call.make());
  }

  private OutboxWorker worker(MemoryStore on, Duration backoff) {
    var config = new WorkerConfig(BATCH, Duration.ZERO, 1, backoff);
    return new OutboxWorker(() -> Instant.EPOCH, on, projection, config, new Quiet());
  }

  private void ingest(int number) {
    store.commit(
        Commit.of(
            new Change.AppendEvent(
                TestEvents.message("s", Instant.ofEpochMilli(number), "Message " + number))));
  }

  private static final class Quiet implements OutboxWorker.Listener {
    @Override
    public void progressed() {}

    @Override
    public void stopped(String problem) {}
  }

  /// Notes how many looks there were when it was called.
  private final class Counting implements Projection {

    final BlockingQueue<Integer> calls = new LinkedBlockingQueue<>();
    final BlockingQueue<Long> done = new LinkedBlockingQueue<>();
    final BlockingQueue<Boolean> maintained = new LinkedBlockingQueue<>();
    volatile AtomicInteger looks = new AtomicInteger();
    volatile boolean trouble;
    volatile boolean moreToMaintain;

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public long cursor() {
      return store.checkpoint(name()).map(Checkpoint::cursor).orElse(0L);
    }

    @Override
    public void passOver(long through) {
      store.commit(Commit.of(Checkpoint.at(name(), through)));
    }

    @Override
    public boolean maintain() {
      maintained.add(moreToMaintain);
      return moreToMaintain;
    }

    @Override
    public int apply(List<OutboxEntry> entries) {
      calls.add(looks.get());
      if (trouble) {
        throw new MemoryException(ErrorCode.QUEUE_FULL, "busy");
      }
      passOver(entries.getLast().sequence());
      done.add(entries.getLast().sequence());
      return entries.size();
    }
  }
}
