package dev.agentmemory.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.pipeline.job.DeadLetterRetry;
import dev.agentmemory.spi.Projection;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/// The worker between outbox and projection.
class OutboxWorkerTest {

  private static final WorkerConfig CONFIG =
      new WorkerConfig(4, Duration.ZERO, 3, Duration.ofMillis(1));

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Recorder projection = new Recorder();
  private final OutboxWorker worker = worker(store);

  @AfterEach
  void close() {
    worker.close();
    store.close();
  }

  /// What waits here comes out by an interrupt only.
  @Test
  void close_whileTheWorkerWaitsForEntries_doesNotWaitWithIt() throws Exception {
    var waits = new CountDownLatch(1);
    var never = new CountDownLatch(1);
    MemoryStore patient =
        InterceptedStore.of(
            store,
            (method, _, call) -> {
              if (method.equals("await")) {
                waits.countDown();
                never.await();
              }
              return call.make();
            });
    try (OutboxWorker waiting = worker(patient)) {
      waiting.start();
      assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(never.getCount()).isEqualTo(1);
  }

  @Test
  void step_takesAtMostABatchBehindTheCursor() {
    ingest(1, 6);
    assertThat(worker.step()).isTrue();
    assertThat(projection.seen).containsExactly(1L, 2L, 3L, 4L);
    assertThat(worker.step()).isTrue();
    assertThat(worker.step()).isFalse();
    assertThat(projection.seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void projectionThatTakesAFewAtATime_getsTheRestOfTheBatchInTheSameTurn() {
    ingest(1, 6);
    projection.most = 3;
    projection.beforeApply =
        sequence -> {
          if (sequence == 4) {
            throw new IllegalStateException("poison");
          }
        };
    assertThat(worker.step()).isTrue();
    assertThat(projection.seen).containsExactly(1L, 2L, 3L);
    assertThat(cursor()).isEqualTo(4);
    assertThat(worker.step()).isTrue();
    assertThat(projection.seen).containsExactly(1L, 2L, 3L, 5L, 6L);
  }

  @Test
  void entryThatKeepsFailing_isParkedAndTheLineGoesOn() {
    ingest(1, 4);
    projection.beforeApply =
        sequence -> {
          if (sequence == 2) {
            throw new IllegalStateException("poison");
          }
        };
    worker.step();

    assertThat(projection.seen).containsExactly(1L, 3L, 4L);
    assertThat(store.deadLetters(Optional.empty(), 10))
        .singleElement()
        .satisfies(letter -> {
          assertThat(letter.entry().sequence()).isEqualTo(2);
          assertThat(letter.attempts()).isEqualTo(3);
          assertThat(letter.error()).contains("poison");
        });
    assertThat(cursor()).isEqualTo(4);
  }

  @Test
  void parkedEntry_isLoggedWithItsSession() {
    var logger = (Logger) LoggerFactory.getLogger(OutboxWorker.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.ERROR);
    ingest(1, 1);
    projection.beforeApply =
        sequence -> {
          throw new IllegalStateException("poison");
        };
    try {
      worker.step();
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }

    assertThat(lines.list)
        .singleElement()
        .satisfies(line ->
            assertThat(line.getKeyValuePairs())
                .containsExactly(new KeyValuePair("session_id", "s")));
  }

  @Test
  void poisonAsTheLastEntry_movesTheCursorToo() {
    ingest(1, 1);
    projection.beforeApply =
        sequence -> {
          throw new IllegalStateException("poison");
        };
    worker.step();
    assertThat(cursor()).isEqualTo(1);
    assertThat(store.deadLetters(Optional.empty(), 10)).extracting(DeadLetter::consumer).hasSize(1);
  }

  @Test
  void troubleOfTheStore_isNoPoison() {
    ingest(1, 2);
    projection.beforeApply =
        sequence -> {
          throw new MemoryException(ErrorCode.STORAGE_FAILED, "disk full");
        };
    assertThatThrownBy(worker::step).hasMessage("disk full");
    assertThat(store.deadLetters(Optional.empty(), 10)).isEmpty();
    projection.beforeApply = sequence -> {};
    worker.step();
    assertThat(projection.seen).containsExactly(1L, 2L);
  }

  @Test
  void thread_followsCommitsAndOutlastsTrouble() throws InterruptedException {
    var refusals = new AtomicInteger(5);
    projection.beforeApply =
        sequence -> {
          if (refusals.getAndDecrement() > 0) {
            throw new MemoryException(ErrorCode.QUEUE_FULL, "busy");
          }
        };
    worker.start();
    ingest(1, 1);
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    ingest(2, 1);
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(worker.problem()).isEmpty();
  }

  @Test
  void failedReads_areWaitedOut() throws InterruptedException {
    var refusals = new AtomicInteger(5);
    projection.reader = refusing("checkpoint", refusals);
    try (var patient = worker(store)) {
      patient.start();
      ingest(1, 1);
      assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(refusals).hasValueLessThan(1);
      assertThat(patient.problem()).isEmpty();
    }
  }

  @Test
  void projection_isMaintainedAfterABatchAndWithoutOne() throws InterruptedException {
    worker.start();
    assertThat(projection.maintained.poll(10, TimeUnit.SECONDS)).isEqualTo(0);
    ingest(1, 2);
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    long seen = 0;
    while (seen < 2) {
      Long next = projection.maintained.poll(10, TimeUnit.SECONDS);
      assertThat(next).isNotNull();
      seen = next;
    }
  }

  @Test
  void pause_holdsTheWorkUntilResume() throws InterruptedException {
    worker.pause();
    worker.start();
    ingest(1, 1);
    assertThat(projection.arrivals.poll(200, TimeUnit.MILLISECONDS)).isNull();
    worker.resume();
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void pausedWorker_leavesTheStoreAlone() throws InterruptedException {
    ingest(1, 1);
    var calls = new LinkedBlockingQueue<String>();
    try (OutboxWorker paused = worker(wrapped(calls::add, (called, result) -> result))) {
      paused.pause();
      paused.start();
      assertThat(calls.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void pause_whileTheWorkerWaitsForEntries_holdsThoseThatCome() throws InterruptedException {
    worker.start();
    assertThat(projection.maintained.poll(10, TimeUnit.SECONDS)).isEqualTo(0);
    worker.pause();
    ingest(1, 1);
    assertThat(projection.arrivals.poll(200, TimeUnit.MILLISECONDS)).isNull();
    worker.resume();
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void pause_whileTheWorkerAsksForEntries_holdsThoseThatAreThere() throws InterruptedException {
    ingest(1, 1);
    var asking = new AtomicReference<OutboxWorker>();
    MemoryStore pausing =
        wrapped(
            called -> {
              if (called.equals("await")) {
                asking.get().pause();
              }
            },
            (called, result) -> result);
    try (OutboxWorker paused = worker(pausing)) {
      asking.set(paused);
      paused.start();
      assertThat(projection.arrivals.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void brokenInvariant_stopsTheWorkerAndShows() throws InterruptedException {
    projection.beforeApply =
        sequence -> {
          projection.arrivals.add(sequence);
          throw new AssertionError("links to nowhere");
        };
    worker.start();
    ingest(1, 1);
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    worker.close();
    assertThat(worker.problem()).hasValueSatisfying(why -> assertThat(why).contains("nowhere"));
    assertThat(cursor()).isZero();
  }

  @Test
  void storeThatTakesNoWrites_isWaitedOut() throws InterruptedException {
    ingest(1, 1);
    store.refuseCommits("the disk is full; make room");
    var refused = new LinkedBlockingQueue<Long>();
    projection.beforeApply = refused::add;
    worker.start();
    assertThat(refused.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(refused.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    store.takeCommits();
    assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(worker.problem()).isEmpty();
    assertThat(store.deadLetters(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void unreadableEntries_arePassedOverAndTold() {
    ingest(1, 5);
    var told = new ArrayList<Long>();
    try (var passing = passing(damaged(2, 3), told)) {
      passing.step();
      passing.step();
    }
    assertThat(projection.seen).containsExactly(1L, 4L, 5L);
    assertThat(told).containsExactly(2L);
  }

  @Test
  void unreadableEntries_withNothingBehindThem_doNotHoldTheCursor() {
    ingest(1, 3);
    var told = new ArrayList<Long>();
    try (var passing = passing(damaged(1, 2, 3), told)) {
      assertThat(passing.step()).isTrue();
      assertThat(cursor()).isEqualTo(3);
      assertThat(told).containsExactly(3L);
      assertThat(passing.step()).isFalse();
    }
  }

  @Test
  void unreadableEntry_thatIsTheOnlyOneLeft_doesNotHoldTheCursor() {
    ingest(1, 3);
    store.commit(Commit.of(new Change.TrimOutbox(2)));
    var told = new ArrayList<Long>();
    try (var passing = passing(damaged(3), told)) {
      assertThat(passing.step()).isTrue();
    }
    assertThat(cursor()).isEqualTo(3);
    assertThat(told).containsExactly(1L);
  }

  @Test
  void trimmedEntries_areNotMissed() {
    ingest(1, 3);
    store.commit(Commit.of(new Change.TrimOutbox(2)));
    var told = new ArrayList<Long>();
    try (var passing = passing(store, told)) {
      passing.step();
      assertThat(passing.step()).isFalse();
    }
    assertThat(projection.seen).containsExactly(3L);
    assertThat(told).isEmpty();
  }

  @Test
  void deadLetters_triedAgain_thoseThatWorkAreGone() {
    ingest(1, 3);
    projection.beforeApply =
        sequence -> {
          if (sequence < 3) {
            throw new IllegalStateException("poison");
          }
        };
    worker.step();
    var tried = new ArrayList<Long>();
    var retry =
        new DeadLetterRetry(
            store,
            Map.of(
                "recorder",
                entry -> {
                  tried.add(entry.sequence());
                  if (entry.sequence() == 1) {
                    throw new IllegalStateException("still poison");
                  }
                }));
    assertThat(retry.run()).isEqualTo(new DeadLetterRetry.Result(1, 1));
    assertThat(tried).containsExactly(1L, 2L);
    assertThat(store.deadLetters(Optional.empty(), 10))
        .extracting(letter -> letter.entry().sequence())
        .containsExactly(1L);
    assertThat(cursor()).isEqualTo(3);
  }

  @Test
  void entryThatCannotBeRead_isParkedLikeAnyOther() {
    ingest(1, 3);
    projection.beforeApply =
        sequence -> {
          if (sequence == 2) {
            throw new MemoryException(ErrorCode.CORRUPT_RECORD, "event 2 is damaged");
          }
        };
    worker.step();
    assertThat(projection.seen).containsExactly(1L, 3L);
    assertThat(store.deadLetters(Optional.empty(), 10))
        .singleElement()
        .satisfies(letter -> assertThat(letter.error()).contains("event 2 is damaged"));
  }

  @Test
  void cursorThatCannotBeRead_stopsTheWorkerAndShows() throws InterruptedException {
    var reported = new LinkedBlockingQueue<String>();
    projection.reader =
        wrapped(
            called -> {
              if (called.equals("checkpoint")) {
                throw new MemoryException(ErrorCode.CORRUPT_RECORD, "the cursor is damaged");
              }
            },
            (called, result) -> result);
    try (var stopping =
        new OutboxWorker(
            () -> Instant.EPOCH,
            store,
            projection,
            CONFIG,
            new Quiet() {
              @Override
              public void stopped(String problem) {
                reported.add(problem);
              }
            })) {
      stopping.start();
      assertThat(reported.poll(10, TimeUnit.SECONDS)).contains("the cursor is damaged");
      assertThat(stopping.problem()).isPresent();
    }
  }

  @Test
  void listener_hearsOfEachBatchAndOfEachEntryTriedAlone() {
    var reported = new AtomicInteger();
    var listening =
        new OutboxWorker(
            () -> Instant.EPOCH,
            store,
            projection,
            CONFIG,
            new Quiet() {
              @Override
              public void progressed() {
                reported.incrementAndGet();
              }
            });
    ingest(1, 7);
    listening.step();
    assertThat(reported).hasValue(1);
    projection.beforeApply =
        sequence -> {
          if (sequence == 6) {
            throw new IllegalStateException("poison");
          }
        };
    listening.step();
    assertThat(reported).hasValue(4);
  }

  @Test
  void listener_hearsWhyTheWorkerHasStopped() throws InterruptedException {
    var reported = new LinkedBlockingQueue<String>();
    projection.beforeApply =
        sequence -> {
          throw new AssertionError("links to nowhere");
        };
    ingest(1, 1);
    try (var stopping =
        new OutboxWorker(
            () -> Instant.EPOCH,
            store,
            projection,
            CONFIG,
            new Quiet() {
              @Override
              public void stopped(String problem) {
                reported.add(problem);
              }
            })) {
      stopping.start();
      assertThat(reported.poll(10, TimeUnit.SECONDS)).contains("nowhere", "recorder");
    }
  }

  @Test
  void storeThatIsClosed_endsTheWorkerWithoutAProblem() throws InterruptedException {
    var refusals = new AtomicInteger(1);
    MemoryStore closed =
        wrapped(
            called -> {
              if (called.equals("await") && refusals.getAndDecrement() > 0) {
                throw new MemoryException(ErrorCode.CLOSED, "closed");
              }
            },
            (called, result) -> result);
    ingest(1, 1);
    try (OutboxWorker ending = worker(closed)) {
      ending.start();
      assertThat(projection.arrivals.poll(200, TimeUnit.MILLISECONDS)).isNull();
      assertThat(ending.problem()).isEmpty();
    }
  }

  @Test
  void close_inTheMiddleOfABatch_leavesTheRestToTheNextStart() throws InterruptedException {
    ingest(1, 4);
    projection.most = 2;
    var begun = new CountDownLatch(1);
    var closing = new Thread(worker::close);
    projection.beforeApply =
        sequence -> {
          if (sequence == 1) {
            closing.start();
            begun.countDown();
            Await.untilWaiting(closing);
          }
        };
    worker.start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    closing.join(TimeUnit.SECONDS.toMillis(10));
    assertThat(projection.seen).containsExactly(1L, 2L);
    assertThat(cursor()).isEqualTo(2);
  }

  @Test
  void close_threadInterruptedMeanwhile_waitsAllTheSameAndKeepsTheInterrupt()
      throws InterruptedException {
    ingest(1, 1);
    var working = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    projection.beforeApply =
        sequence -> {
          working.countDown();
          awaitLatch(release);
        };
    worker.start();
    assertThat(working.await(10, TimeUnit.SECONDS)).isTrue();
    var kept = new LinkedBlockingQueue<Boolean>();
    var closing =
        new Thread(() -> {
          Thread.currentThread().interrupt();
          worker.close();
          kept.add(Thread.currentThread().isInterrupted());
        });
    closing.start();
    Await.untilWaiting(closing);
    assertThat(kept).as("not before the batch is done").isEmpty();
    release.countDown();
    assertThat(kept.poll(10, TimeUnit.SECONDS)).isTrue();
    assertThat(projection.seen).containsExactly(1L);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("the current batch was interrupted", e);
    }
  }

  private OutboxWorker passing(MemoryStore on, List<Long> told) {
    var listener =
        new Quiet() {
          @Override
          public void passedOver(long entries) {
            told.add(entries);
          }
        };
    return new OutboxWorker(() -> Instant.EPOCH, on, projection, CONFIG, listener);
  }

  /// The store, but for entries of its outbox that cannot be read.
  private MemoryStore damaged(long... sequences) {
    return wrapped(
        called -> {},
        (called, result) ->
            called.equals("entries")
                ? ((List<?>) result)
                    .stream()
                        .map(OutboxEntry.class::cast)
                        .filter(
                            entry -> !LongStream.of(sequences).anyMatch(s -> s == entry.sequence()))
                        .toList()
                : result);
  }

  private OutboxWorker worker(MemoryStore on) {
    return new OutboxWorker(() -> Instant.EPOCH, on, projection, CONFIG, new Quiet());
  }

  /// The store, but for a method that fails a number of times.
  private MemoryStore refusing(String method, AtomicInteger times) {
    return wrapped(
        called -> {
          if (called.equals(method) && times.getAndDecrement() > 0) {
            throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot read");
          }
        },
        (called, result) -> result);
  }

  private MemoryStore wrapped(Consumer<String> before, BiFunction<String, Object, Object> after) {
    return InterceptedStore.of(
        store,
        (method, _, call) -> {
          before.accept(method);
          return after.apply(method, call.make());
        });
  }

  private long cursor() {
    return store.checkpoint("recorder").map(Checkpoint::cursor).orElse(0L);
  }

  private void ingest(int first, int count) {
    List<Event> events = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      events.add(
          new Event(
              new EventId("0".repeat(23) + String.format(Locale.ROOT, "%03d", i)),
              new SessionId("s"),
              Instant.ofEpochMilli(i),
              EventType.USER_MESSAGE,
              EventRole.USER,
              "text",
              Map.of(),
              Optional.empty()));
    }
    store.commit(Commit.append(events));
  }

  /// Hears and says nothing.
  private static class Quiet implements OutboxWorker.Listener {
    @Override
    public void progressed() {}

    @Override
    public void stopped(String problem) {}
  }

  /// Notes what it is given and moves its cursor.
  private final class Recorder implements Projection {
    final List<Long> seen = new ArrayList<>();
    final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    final BlockingQueue<Long> maintained = new LinkedBlockingQueue<>();
    volatile MemoryStore reader = store;
    volatile Consumer<Long> beforeApply = sequence -> {};
    int most = Integer.MAX_VALUE;

    @Override
    public String name() {
      return "recorder";
    }

    @Override
    public long cursor() {
      return reader.checkpoints().checkpoint(name()).map(Checkpoint::cursor).orElse(0L);
    }

    @Override
    public void passOver(long through) {
      store.commit(Commit.of(Checkpoint.at(name(), through)));
    }

    @Override
    public boolean maintain() {
      maintained.add(cursor());
      return false;
    }

    @Override
    public int apply(List<OutboxEntry> all) {
      List<OutboxEntry> entries = all.subList(0, Math.min(all.size(), most));
      entries.forEach(entry -> beforeApply.accept(entry.sequence()));
      store.commit(Commit.of(Checkpoint.at(name(), entries.getLast().sequence())));
      entries.forEach(entry -> seen.add(entry.sequence()));
      entries.forEach(entry -> arrivals.add(entry.sequence()));
      return entries.size();
    }
  }
}
