package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.JobStatus.Outcome;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The rules of when a job runs, with a clock that the test moves: the scheduler's thread is not
/// started, its turns are taken by hand.
class JobRulesTest {

  private static final Instant NOON = Instant.parse("2026-01-30T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final JobThreads threads = new JobThreads(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
  private volatile Instant now = NOON;
  private volatile Duration deferred = Duration.ZERO;
  private Scheduler scheduler = open();

  private Scheduler open() {
    return open(Scheduler.Drain.DEFAULT);
  }

  private Scheduler open(Scheduler.Drain drain) {
    return open(drain, threads);
  }

  private Scheduler open(Scheduler.Drain drain, JobThreads where) {
    return new Scheduler(
        () -> now,
        () -> TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli()),
        new SplittableRandom(7),
        store,
        where,
        () -> deferred,
        drain);
  }

  @AfterEach
  void close() {
    release.countDown();
    scheduler.close();
    threads.close();
    store.close();
  }

  @Test
  void cron_due_runsAndPlansTheNext() throws InterruptedException {
    scheduler.add(recording("hourly", cron("0 * * * *")));
    assertThat(status("hourly").nextRun()).hasValue(NOON.plus(HOUR));
    assertThat(status("hourly").schedule()).isEqualTo("0 * * * *");

    pass(HOUR.minusMillis(1));
    assertThat(status("hourly").running()).isFalse();
    pass(Duration.ofMillis(1));

    assertThat(next()).isEqualTo("hourly");
    await("hourly", Outcome.SUCCESS);
    assertThat(status("hourly").nextRun()).hasValue(NOON.plus(HOUR).plus(HOUR));
    assertThat(status("hourly").lastRun()).hasValue(NOON.plus(HOUR));
  }

  @Test
  void plan_putsTheNextRunOffOrForward_andLaterOnesStayAsTheyWere() throws InterruptedException {
    scheduler.add(recording("hourly", cron("0 * * * *")));
    scheduler.plan("hourly", Duration.ofSeconds(60));
    scheduler.plan("unknown", Duration.ZERO);
    assertThat(status("hourly").nextRun()).hasValue(NOON.plusSeconds(60));
    pass(Duration.ofSeconds(60));
    assertThat(next()).isEqualTo("hourly");
    await("hourly", Outcome.SUCCESS);
    assertThat(status("hourly").nextRun()).hasValue(NOON.plus(HOUR));
  }

  @Test
  void turn_nothingDue_waitsUntilTheNextRun() {
    scheduler.add(recording("hourly", cron("0 * * * *")));
    now = NOON.plus(HOUR).minusSeconds(7);
    assertThat(scheduler.turn()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void turn_runGoesOn_waitsUntilItHasTakenTooLong() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), Duration.ofSeconds(30)));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    now = now.plusSeconds(10);
    assertThat(scheduler.turn()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void turn_somethingDueAtOnce_waitsAMilliAllTheSame() {
    scheduler.add(recording("hourly", cron("0 * * * *")));
    scheduler.plan("hourly", Duration.ofNanos(1));
    assertThat(scheduler.turn()).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void dueJob_whileWorkIsDeferred_runsAfterwards() throws InterruptedException {
    scheduler.add(recording("hourly", cron("0 * * * *")));
    scheduler.add(recording("other", new Schedule.OnRequest()));
    now = NOON.plus(HOUR);
    deferred = Duration.ofSeconds(2);
    assertThat(scheduler.turn()).isEqualTo(Duration.ofSeconds(2));
    assertThat(status("hourly").running()).isFalse();
    // A request does not wait.
    assertThat(scheduler.run("other")).containsEntry("name", "other");
    assertThat(next()).isEqualTo("other");
    deferred = Duration.ZERO;
    scheduler.turn();
    assertThat(next()).isEqualTo("hourly");
    await("hourly", Outcome.SUCCESS);
    assertThat(status("hourly").skips()).isZero();
  }

  @Test
  void cron_inAZone_goesByItsClocks() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    scheduler.add(recording("job", new Schedule.Cron("0 4 * * *", zone, Duration.ZERO)));
    assertThat(status("job").nextRun()).hasValue(Instant.parse("2026-01-31T03:00:00Z"));
  }

  @Test
  void jitter_anyDraw_staysInItsBounds() {
    List<Duration> late = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      scheduler.add(recording("j" + i, jittered("0 4 * * *", Duration.ofMinutes(10))));
      Instant planned = status("j" + i).nextRun().orElseThrow();
      late.add(Duration.between(Instant.parse("2026-01-31T04:00:00Z"), planned));
    }
    assertThat(late).allMatch(by -> !by.isNegative() && by.compareTo(Duration.ofMinutes(10)) <= 0);
    assertThat(late).anyMatch(by -> by.compareTo(Duration.ofMinutes(2)) < 0);
    assertThat(late).anyMatch(by -> by.compareTo(Duration.ofMinutes(8)) > 0);
  }

  @Test
  void jitter_longerThanTheSpacing_staysBelowHalfOfIt() {
    for (int i = 0; i < 200; i++) {
      scheduler.add(recording("j" + i, jittered("*/5 * * * *", HOUR)));
      Instant planned = status("j" + i).nextRun().orElseThrow();
      assertThat(planned).isBetween(NOON.plusSeconds(300), NOON.plusSeconds(450));
    }
  }

  @Test
  void cron_dueWhileItRuns_isSkippedAndGoesOnAsPlanned() throws InterruptedException {
    scheduler.add(waiting("slow", cron("0 * * * *"), HOUR.multipliedBy(10)));
    pass(HOUR);
    assertThat(next()).isEqualTo("slow begins");

    pass(HOUR);
    JobStatus during = status("slow");
    assertThat(during.lastOutcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(during.lastError()).hasValueSatisfying(why -> assertThat(why).contains("13:00"));
    assertThat(during.skips()).isEqualTo(1);
    assertThat(during.running()).isTrue();
    assertThat(during.nextRun()).hasValue(NOON.plus(HOUR.multipliedBy(3)));

    release.countDown();
    await("slow", Outcome.SUCCESS);
    assertThat(scheduler.turn()).isEqualTo(Duration.ofSeconds(60));
    assertThat(status("slow").runs()).isEqualTo(1);
    assertThat(status("slow").skips()).isEqualTo(1);
  }

  @Test
  void trigger_whileTheJobRuns_isNotLost() throws InterruptedException {
    scheduler.add(waiting("work", new Schedule.OnRequest(), HOUR));
    scheduler.trigger("work");
    scheduler.turn();
    assertThat(next()).isEqualTo("work begins");
    scheduler.trigger("work");
    scheduler.turn();
    release.countDown();
    await("work", Outcome.SUCCESS);
    scheduler.turn();
    assertThat(next()).isEqualTo("work begins");
  }

  @Test
  void run_pastItsTimeout_isInterruptedAndHasFailed() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");

    pass(HOUR);

    assertThat(next()).isEqualTo("slow interrupted");
    JobStatus status = awaitIdle("slow");
    assertThat(status.lastOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(status.lastError())
        .hasValue("took longer than 1h (jobs.timeout) and was interrupted");
    assertThat(status.errors()).isEqualTo(1);
    assertThat(status.runs()).isEqualTo(1);
    assertThat(status.lastDuration()).isEqualTo(HOUR);
  }

  @Test
  void body_thatIgnoresItsInterrupt_stopsNoOtherJobAndIsNotStartedAgain()
      throws InterruptedException {
    scheduler.add(hanging("hangs", cron("0 * * * *")));
    scheduler.add(recording("good", new Schedule.OnRequest()));
    pass(HOUR);
    assertThat(next()).isEqualTo("hangs begins");
    scheduler.trigger("good");
    pass(Duration.ofMinutes(59));
    assertThat(seen).isEmpty();

    pass(Duration.ofMinutes(1));
    assertThat(next()).as("the only thread's place was given away").isEqualTo("good");
    pass(HOUR);
    JobStatus status = status("hangs");
    assertThat(status.lastOutcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(status.lastError()).hasValueSatisfying(why -> assertThat(why).contains("hangs"));
    assertThat(status.errors()).isEqualTo(1);
    assertThat(status.running()).isTrue();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> scheduler.run("hangs"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .withMessageContaining("restart");

    release.countDown();
    awaitIdle("hangs");
    pass(HOUR);
    assertThat(next()).isEqualTo("hangs begins");
    await("hangs", Outcome.SUCCESS);
  }

  @Test
  void body_thatComesBackLate_givesItsExtraThreadBack() throws InterruptedException {
    scheduler.add(hanging("hangs", new Schedule.OnRequest()));
    scheduler.trigger("hangs");
    scheduler.turn();
    assertThat(next()).isEqualTo("hangs begins");
    assertThat(threads.places()).isEqualTo(1);
    pass(HOUR);
    assertThat(threads.places()).isEqualTo(2);

    release.countDown();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (threads.places() != 1 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(threads.places()).isEqualTo(1);
  }

  @Test
  void interrupt_ofOneRun_doesNotReachTheNextOnItsThread() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.add(
        new Job(
            "flag",
            new Schedule.OnRequest(),
            () -> {
              seen.add("interrupted: " + Thread.currentThread().isInterrupted());
              return Map.of();
            }));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    pass(HOUR);
    assertThat(next()).isEqualTo("slow interrupted");
    awaitIdle("slow");
    for (int i = 0; i < 5; i++) {
      scheduler.trigger("flag");
      scheduler.turn();
      assertThat(next()).isEqualTo("interrupted: false");
      awaitIdle("flag");
    }
  }

  @Test
  void runNow_jobThatHangs_isAnsweredAtItsTimeout() throws Exception {
    scheduler.add(hanging("hangs", new Schedule.OnRequest()));
    var asked = CompletableFuture.supplyAsync(() -> scheduler.run("hangs"));
    assertThat(next()).isEqualTo("hangs begins");
    pass(HOUR);
    assertThat(asked)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withMessageContaining("took longer than 1h");
  }

  @Test
  void runNow_jobThatHangs_leavesThePlacesAsTheyAre() throws InterruptedException {
    var on = new CompletableFuture<Thread>();
    Job hanging = hanging("hangs", new Schedule.OnRequest());
    try (var brief = new JobThreads(1, Duration.ofMillis(1))) {
      scheduler = open(Scheduler.Drain.DEFAULT, brief);
      scheduler.add(
          new Job(
              "hangs",
              hanging.schedule(),
              () -> {
                on.complete(Thread.currentThread());
                return hanging.body().run();
              }));
      var asked = CompletableFuture.runAsync(() -> scheduler.run("hangs"));
      assertThat(next()).isEqualTo("hangs begins");
      pass(HOUR);
      assertThat(asked).failsWithin(Duration.ofSeconds(10));
      assertThat(brief.places()).as("it had none").isEqualTo(1);

      release.countDown();
      assertThat(on.join().join(Duration.ofSeconds(10))).isTrue();
      assertThat(brief.places()).isEqualTo(1);
    }
  }

  @Test
  void runNow_othersWaitForAThread_runsAtOnce() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.add(recording("queued", new Schedule.OnRequest()));
    scheduler.add(recording("asked", new Schedule.OnRequest()));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    scheduler.trigger("queued");
    scheduler.turn();
    assertThat(CompletableFuture.runAsync(() -> scheduler.run("asked")))
        .succeedsWithin(Duration.ofSeconds(10));
    assertThat(seen).containsExactly("asked");
  }

  @Test
  void runNow_whileARunGoesOn_runsOnceMoreAfterIt() throws InterruptedException {
    begin(waiting("slow", new Schedule.OnRequest(), HOUR));
    CompletableFuture<Void> asked = askAndWait("slow");
    assertThat(seen).isEmpty();
    release.countDown();
    assertThat(asked).succeedsWithin(Duration.ofSeconds(10));
    assertThat(next()).isEqualTo("slow begins");
    assertThat(status("slow").runs()).isEqualTo(2);
  }

  @Test
  void runNow_whileARunGoesOnThatThenHangs_isRefused() throws InterruptedException {
    begin(hanging("hangs", new Schedule.OnRequest()));
    CompletableFuture<Void> asked = askAndWait("hangs");
    pass(HOUR);
    assertThat(refusal(asked)).isEqualTo(ErrorCode.CONFLICT);
  }

  @Test
  void runNow_whileARunGoesOn_endsWhenTheSchedulerCloses() throws InterruptedException {
    begin(waiting("slow", new Schedule.OnRequest(), HOUR));
    CompletableFuture<Void> asked = askAndWait("slow");
    var closing = CompletableFuture.runAsync(scheduler::close);
    assertThat(refusal(asked)).isEqualTo(ErrorCode.CLOSED);
    release.countDown();
    assertThat(closing).succeedsWithin(Duration.ofSeconds(10));
    assertThat(status("slow").runs()).isEqualTo(1);
  }

  @Test
  void runNow_callerIsInterrupted_waitsNoLongerAndStaysInterrupted() {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> scheduler.run("slow"))
        .extracting(MemoryException::code)
        .isEqualTo(ErrorCode.CLOSED);
    assertThat(Thread.interrupted()).isTrue();
  }

  private void begin(Job job) throws InterruptedException {
    scheduler.add(job);
    scheduler.trigger(job.name());
    scheduler.turn();
    assertThat(next()).isEqualTo(job.name() + " begins");
  }

  /// Asks for a run while another one goes on.
  private CompletableFuture<Void> askAndWait(String job) {
    var answer = new CompletableFuture<Void>();
    Thread asker =
        Thread.ofPlatform()
            .daemon(true)
            .start(() -> {
              try {
                scheduler.run(job);
                answer.complete(null);
              } catch (MemoryException e) {
                answer.completeExceptionally(e);
              }
            });
    Await.untilWaiting(asker);
    return answer;
  }

  private static ErrorCode refusal(CompletableFuture<Void> asked) {
    Await.until("is answered", asked::isDone);
    assertThat(asked.exceptionNow()).isInstanceOf(MemoryException.class);
    return ((MemoryException) asked.exceptionNow()).code();
  }

  @Test
  void interruptThatABodyLeavesBehind_isGone() {
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    scheduler =
        new Scheduler(
            () -> now,
            () -> {
              interrupted.add(Thread.currentThread().isInterrupted());
              return 0;
            },
            new SplittableRandom(7),
            store,
            threads);
    scheduler.add(
        new Job(
            "job",
            new Schedule.OnRequest(),
            () -> {
              Thread.currentThread().interrupt();
              return Map.of();
            }));
    scheduler.run("job");
    assertThat(interrupted).as("before the body and after it").containsExactly(false, false);
  }

  @Test
  void rareJob_isKeptFromTheFirst_andAfterEachRun_othersAtTheStop() throws InterruptedException {
    scheduler.add(recording("rare", cron("0 * * * *")));
    scheduler.add(recording("frequent", new Schedule.OnRequest()));
    assertThat(kept("rare")).containsEntry("runs", "0").containsKey("counted_from_ms");
    scheduler.trigger("frequent");
    pass(HOUR);
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder("rare", "frequent");
    awaitThread();
    assertThat(kept("rare")).containsEntry("runs", "1");
    assertThat(kept("frequent")).isEmpty();
    scheduler.close();
    assertThat(kept("frequent")).containsEntry("runs", "1");
  }

  @Test
  void rareJob_pastItsTimeout_isKeptThoughItHangs() throws InterruptedException {
    scheduler.add(hanging("hangs", cron("0 * * * *")));
    pass(HOUR);
    assertThat(next()).isEqualTo("hangs begins");
    pass(HOUR);
    Await.until("is kept", () -> "1".equals(kept("hangs").get("errors")));
    assertThat(status("hangs").running()).isTrue();
  }

  private Map<String, String> kept(String job) {
    return store.checkpoint("job:" + job).map(Checkpoint::attributes).orElse(Map.of());
  }

  /// What was given to the one thread before has ended then.
  private void awaitThread() throws InterruptedException {
    var ended = new CountDownLatch(1);
    threads.execute(ended::countDown);
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void close_runThatHangsAlready_isNotWaitedFor() throws InterruptedException {
    scheduler = open(new Scheduler.Drain(HOUR, HOUR));
    begin(hanging("hangs", new Schedule.OnRequest()));
    pass(HOUR);
    assertThat(CompletableFuture.runAsync(scheduler::close)).succeedsWithin(Duration.ofSeconds(10));
    assertThat(status("hangs").running()).isTrue();
  }

  @Test
  void close_runThatComesBackAfterwards_isNotKept() throws InterruptedException {
    scheduler = open(new Scheduler.Drain(Duration.ofMillis(20), Duration.ofMillis(20)));
    scheduler.add(hanging("hangs", cron("0 * * * *")));
    pass(HOUR);
    assertThat(next()).isEqualTo("hangs begins");
    scheduler.close();
    Map<String, String> atClose = kept("hangs");
    release.countDown();
    awaitThread();
    assertThat(status("hangs").runs()).isEqualTo(1);
    assertThat(kept("hangs")).isEqualTo(atClose).containsEntry("runs", "0");
  }

  @Test
  void close_callerIsInterrupted_waitsNoLongerAndStaysInterrupted() throws InterruptedException {
    begin(waiting("slow", new Schedule.OnRequest(), HOUR));
    Thread.currentThread().interrupt();
    scheduler.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(status("slow").running()).isTrue();
  }

  @Test
  void close_runThatEnds_isWaitedFor() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    scheduler.start();
    var closing = CompletableFuture.runAsync(scheduler::close);
    while (scheduler.running()) {
      Thread.onSpinWait();
    }
    release.countDown();
    assertThat(closing).succeedsWithin(Duration.ofSeconds(10));
    assertThat(seen).isEmpty();
    scheduler = open();
    scheduler.add(recording("slow", new Schedule.OnRequest()));
    assertThat(status("slow").lastOutcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void close_runThatDoesNotEnd_isInterruptedAfterTheDrainTime() throws InterruptedException {
    scheduler = open(new Scheduler.Drain(Duration.ofMillis(20), Duration.ofSeconds(10)));
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    scheduler.close();
    assertThat(next()).isEqualTo("slow interrupted");
    assertThat(status("slow").running()).isFalse();
  }

  @Test
  void close_bodyThatIgnoresItsInterrupt_isLeftAlone() throws InterruptedException {
    scheduler = open(new Scheduler.Drain(Duration.ofMillis(20), Duration.ofMillis(20)));
    scheduler.add(hanging("hangs", new Schedule.OnRequest()));
    scheduler.trigger("hangs");
    scheduler.turn();
    assertThat(next()).isEqualTo("hangs begins");
    assertThat(CompletableFuture.runAsync(scheduler::close)).succeedsWithin(Duration.ofSeconds(10));
    assertThat(status("hangs").running()).isTrue();
  }

  @Test
  void close_runThatWaitsForAThread_isNeverStarted() throws InterruptedException {
    scheduler.add(waiting("slow", new Schedule.OnRequest(), HOUR));
    scheduler.add(recording("queued", new Schedule.OnRequest()));
    scheduler.trigger("slow");
    scheduler.turn();
    assertThat(next()).isEqualTo("slow begins");
    scheduler.trigger("queued");
    scheduler.turn();
    scheduler.start();
    var closing = CompletableFuture.runAsync(scheduler::close);
    while (scheduler.running()) {
      Thread.onSpinWait();
    }
    release.countDown();
    assertThat(closing).succeedsWithin(Duration.ofSeconds(10));
    assertThat(awaitIdle("queued").runs()).isZero();
    assertThat(seen).isEmpty();
  }

  @Test
  void restart_keepsHowAJobHasFared() {
    scheduler.add(recording("good", new Schedule.OnRequest()));
    scheduler.add(
        new Job(
            "bad",
            new Schedule.OnRequest(),
            () -> {
              throw new IllegalStateException("no luck");
            }));
    scheduler.run("good");
    scheduler.run("good");
    assertThatExceptionOfType(MemoryException.class).isThrownBy(() -> scheduler.run("bad"));
    List<JobStatus> before = scheduler.status();
    scheduler.close();

    now = NOON.plusSeconds(60);
    scheduler = open();
    scheduler.add(recording("good", new Schedule.OnRequest()));
    scheduler.add(recording("bad", new Schedule.OnRequest()));

    assertThat(scheduler.status()).isEqualTo(before);
    assertThat(status("good").metadata()).containsEntry("name", "good");
    assertThat(status("good").runs()).isEqualTo(2);
    assertThat(status("bad").lastError()).hasValue("no luck");
  }

  @Test
  void cron_missedWhileNothingRan_isMadeUpForWithinTheJitter() {
    scheduler.add(recording("weekly", jittered("30 4 * * 0", Duration.ofMinutes(1))));
    scheduler.close();
    now = NOON.plus(Duration.ofDays(9));
    scheduler = open();
    scheduler.add(recording("weekly", jittered("30 4 * * 0", Duration.ofMinutes(1))));
    assertThat(status("weekly").nextRun().orElseThrow()).isBetween(now, now.plusSeconds(60));
  }

  @Test
  void cron_restartedInTime_keepsItsPlan() {
    Instant sunday = Instant.parse("2026-02-01T04:30:00Z");
    for (int days = 0; days < 2; days++) {
      now = NOON.plus(Duration.ofDays(days));
      scheduler.add(recording("weekly", cron("30 4 * * 0")));
      assertThat(status("weekly").nextRun()).hasValue(sunday);
      scheduler.close();
      scheduler = open();
    }
  }

  private void pass(Duration time) {
    now = now.plus(time);
    scheduler.turn();
  }

  private static Schedule cron(String expression) {
    return jittered(expression, Duration.ZERO);
  }

  private static Schedule jittered(String expression, Duration jitter) {
    return new Schedule.Cron(expression, ZoneOffset.UTC, jitter);
  }

  private Job recording(String name, Schedule schedule) {
    return new Job(
        name,
        schedule,
        () -> {
          seen.add(name);
          return Map.of("name", name);
        });
  }

  /// Runs until it is released or interrupted.
  private Job waiting(String name, Schedule schedule, Duration timeout) {
    return new Job(
        name,
        schedule,
        timeout,
        () -> {
          seen.add(name + " begins");
          try {
            release.await();
          } catch (InterruptedException e) {
            seen.add(name + " interrupted");
          }
          return Map.of();
        });
  }

  /// Runs until it is released, whatever is asked of it.
  private Job hanging(String name, Schedule schedule) {
    return new Job(
        name,
        schedule,
        () -> {
          seen.add(name + " begins");
          while (release.getCount() > 0) {
            Thread.onSpinWait();
          }
          return Map.of();
        });
  }

  private JobStatus status(String job) {
    return scheduler.status().stream()
        .filter(status -> status.name().equals(job))
        .findFirst()
        .orElseThrow();
  }

  private void await(String job, Outcome outcome) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (status(job).lastOutcome() != outcome && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(status(job).lastOutcome()).isEqualTo(outcome);
  }

  private JobStatus awaitIdle(String job) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (status(job).running() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(status(job).running()).isFalse();
    return status(job);
  }

  private String next() throws InterruptedException {
    String event = seen.poll(10, TimeUnit.SECONDS);
    assertThat(event).as("something within 10 s").isNotNull();
    return String.valueOf(event);
  }
}
