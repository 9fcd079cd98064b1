package dev.agentmemory.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
    MemoryStore flaky = refusing(store, "checkpoint", refusals);
    try (var patient = worker(flaky)) {
      patient.start();
      ingest(1, 1);
      assertThat(projection.arrivals.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(refusals).hasValueLessThan(1);
      assertThat(patient.problem()).isEmpty();
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
  void storeThatTakesNoMoreWrites_stopsEvenAPausedWorkerAndShows() throws InterruptedException {
    var told = new LinkedBlockingQueue<String>();
    var listener =
        new Quiet() {
          @Override
          public void stopped(String problem) {
            told.add(problem);
          }
        };
    try (var paused = new OutboxWorker(() -> Instant.EPOCH, store, projection, CONFIG, listener)) {
      paused.pause();
      paused.start();
      store.refuseCommits("no more writes; restart");
      assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("no more writes; restart");
      assertThat(paused.problem()).contains("no more writes; restart");
    }
  }

  private OutboxWorker worker(MemoryStore on) {
    return new OutboxWorker(() -> Instant.EPOCH, on, projection, CONFIG, new Quiet());
  }

  /// The store, but for a method that fails a number of times.
  private static MemoryStore refusing(MemoryStore store, String method, AtomicInteger times) {
    return (MemoryStore)
        Proxy.newProxyInstance(
            MemoryStore.class.getClassLoader(),
            new Class<?>[] {MemoryStore.class},
            (self, called, arguments) -> {
              if (called.getName().equals(method) && times.getAndDecrement() > 0) {
                throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot read");
              }
              try {
                return called.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
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
    volatile Consumer<Long> beforeApply = sequence -> {};
    int most = Integer.MAX_VALUE;

    @Override
    public String name() {
      return "recorder";
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
