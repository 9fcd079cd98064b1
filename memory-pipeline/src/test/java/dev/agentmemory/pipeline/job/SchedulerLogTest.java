package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.agentmemory.spi.Deferral;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// What operators read about jobs. There is one thread for them, so the lines come in order. Jobs
/// of other tests may still be ending, so of other threads only lines with names of this one count.
class SchedulerLogTest {

  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(10);

  private final Thread tester = Thread.currentThread();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Scheduler.class);
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Collector collector = new Collector();
  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final JobThreads threads = new JobThreads(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private volatile Instant now = Instant.parse("2026-01-30T12:00:00Z");
  private Scheduler scheduler = open(LONG);

  @BeforeEach
  void listen() {
    collector.start();
    logger.addAppender(collector);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
  }

  @AfterEach
  void close() throws InterruptedException {
    release.countDown();
    awaitThread();
    scheduler.close();
    threads.close();
    store.close();
    logger.setLevel(null);
    logger.detachAppender(collector);
    logger.setAdditive(true);
  }

  @Test
  void run_thatDidSomething_isToldLouderThanAnIdleOne() throws InterruptedException {
    add("told_busy", () -> Map.of("nodes", "3"));
    add("told_idle", () -> Map.of("nodes", "0"));
    run("told_busy");
    run("told_idle");
    assertThat(next()).isEqualTo("INFO job told_busy ran: {nodes=3}");
    assertThat(next()).isEqualTo("DEBUG job told_idle ran: {nodes=0}");
  }

  @Test
  void run_thatFails_isToldAsThatOnly() throws InterruptedException {
    add("told_bad", failing(() -> new IllegalStateException("no luck")));
    add("told_full", failing(() -> new MemoryException(ErrorCode.STORAGE_FAILED, "disk full")));
    add("told_good", () -> Map.of());
    run("told_bad");
    run("told_full");
    run("told_good");
    assertThat(next()).isEqualTo("ERROR job told_bad failed");
    assertThat(next()).isEqualTo("ERROR job told_full failed");
    assertThat(next()).isEqualTo("DEBUG job told_good ran: {}");
  }

  @Test
  void modelThatIsAway_isToldLoudlyOncePerReason() throws InterruptedException {
    var reasons = List.of("overloaded", "overloaded", "no key", "no key").iterator();
    add(
        "told_waits",
        failing(() -> new MemoryException(ErrorCode.MODEL_UNAVAILABLE, reasons.next())));
    for (int i = 0; i < 4; i++) {
      run("told_waits");
    }
    assertThat(next()).isEqualTo("WARN job told_waits waits: overloaded");
    assertThat(next()).isEqualTo("DEBUG job told_waits waits: overloaded");
    assertThat(next()).isEqualTo("WARN job told_waits waits: no key");
    assertThat(next()).isEqualTo("DEBUG job told_waits waits: no key");
  }

  @Test
  void close_nothingRuns_saysNothing() {
    add("told_job", () -> Map.of());
    scheduler.close();
    assertThat(lines).isEmpty();
  }

  @Test
  void close_runThatStopsOnceInterrupted_isNamed() throws InterruptedException {
    scheduler = open(MOMENT, LONG);
    begin(() -> {
      begun.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Map.of();
    });
    scheduler.close();
    assertThat(next()).startsWith("WARN jobs [told_slow] still run after PT0.02S");
    assertThat(next()).isEqualTo("DEBUG job told_slow ran: {}");
    assertThat(lines).isEmpty();
  }

  @Test
  void close_runThatDoesNotStop_isNamedAsLeftAlone() throws InterruptedException {
    scheduler = open(MOMENT);
    add("told_rests", () -> Map.of());
    begin(this::hang);
    add("told_queued", () -> Map.of());
    scheduler.trigger("told_queued");
    scheduler.turn();
    scheduler.close();
    assertThat(next()).startsWith("WARN jobs [told_slow] still run after PT0.02S");
    assertThat(next()).isEqualTo("ERROR jobs [told_slow] do not stop; their threads are abandoned");
    assertThat(lines).isEmpty();
  }

  @Test
  void run_pastItsTimeout_isToldThen_andWhenItComesBack() throws InterruptedException {
    begin(this::hang);
    now = now.plus(Job.DEFAULT_TIMEOUT);
    scheduler.turn();
    assertThat(next()).isEqualTo("ERROR job told_slow took longer than PT1H and was interrupted");
    release.countDown();
    assertThat(next()).isEqualTo("DEBUG job told_slow ran: {}");
    assertThat(next()).isEqualTo("WARN job told_slow returned after its time limit");
  }

  private Scheduler open(Duration drain) {
    return open(drain, drain);
  }

  private Scheduler open(Duration finish, Duration interrupted) {
    return new Scheduler(
        () -> now,
        () -> TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli()),
        new SplittableRandom(1),
        store,
        threads,
        Deferral.NONE,
        new Scheduler.Drain(finish, interrupted));
  }

  private void add(String name, Job.Body body) {
    scheduler.add(new Job(name, new Schedule.OnRequest(), body));
  }

  /// Runs it and waits until it is over, and told.
  private void run(String name) throws InterruptedException {
    scheduler.trigger(name);
    scheduler.turn();
    awaitThread();
  }

  private void awaitThread() throws InterruptedException {
    var over = new CountDownLatch(1);
    threads.execute(over::countDown);
    assertThat(over.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void begin(Job.Body body) throws InterruptedException {
    add("told_slow", body);
    scheduler.trigger("told_slow");
    scheduler.turn();
    assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private Map<String, String> hang() {
    begun.countDown();
    while (release.getCount() > 0) {
      Thread.onSpinWait();
    }
    return Map.of();
  }

  private static Job.Body failing(Supplier<RuntimeException> failure) {
    return () -> {
      throw failure.get();
    };
  }

  private String next() throws InterruptedException {
    String line = lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(line).as("a line within 10 s").isNotNull();
    return String.valueOf(line);
  }

  private final class Collector extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      String message = event.getFormattedMessage();
      if (tester.equals(Thread.currentThread()) || message.contains("told_")) {
        lines.add(event.getLevel() + " " + message);
      }
    }
  }
}
