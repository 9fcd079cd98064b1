package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobRefused;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Jobs that run when due, when triggered, and when asked.
class SchedulerTest {

  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Schedule NEVER_BY_ITSELF = new Schedule.Every(ONE_DAY);
  private static final Schedule SOON =
      new Schedule.OnTrigger(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofDays(1));

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final BlockingQueue<String> runs = new LinkedBlockingQueue<>();
  private final JobThreads threads = new JobThreads(2);
  private final Scheduler scheduler = scheduler();

  @AfterEach
  void close() {
    scheduler.close();
    threads.close();
    store.close();
  }

  @Test
  void runNow_saysWhatWasDone() {
    scheduler.add(new Job("count", NEVER_BY_ITSELF, () -> Map.of("nodes", "3")));
    assertThat(scheduler.run("count")).containsEntry("nodes", "3");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.runs()).isEqualTo(1);
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.SUCCESS);
    assertThat(status.metadata()).containsEntry("nodes", "3");
  }

  @Test
  void run_thatLeavesSomethingForLater_saysWhy_andHasNotFailed() {
    scheduler.add(
        new Job("waits", NEVER_BY_ITSELF, () -> Map.of(Job.WAITS_FOR, "the budget is used up")));
    scheduler.run("waits");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.SUCCESS);
    assertThat(status.lastError()).hasValue("the budget is used up");
    assertThat(status.errors()).isZero();
  }

  @Test
  void runNow_failing_isCountedAndTold() {
    scheduler.add(
        new Job(
            "fail",
            NEVER_BY_ITSELF,
            () -> {
              throw new IllegalStateException("no luck");
            }));
    assertThatThrownBy(() -> scheduler.run("fail")).hasMessageContaining("no luck");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.errors()).isEqualTo(1);
    assertThat(status.lastError()).hasValue("no luck");
  }

  @Test
  void job_endingInAnError_hasFailedAndRunsAgain() throws InterruptedException {
    scheduler.add(
        new Job(
            "broken",
            SOON,
            () -> {
              runs.add("broken");
              throw new AssertionError("links to nowhere");
            }));
    scheduler.start();
    scheduler.trigger("broken");
    assertThat(next()).isEqualTo("broken");
    assertThatThrownBy(() -> scheduler.run("broken")).hasMessageContaining("links to nowhere");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.running()).isFalse();
    assertThat(status.errors()).isEqualTo(2);
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.FAILED);
  }

  @Test
  void unknownJob_isToldWhichJobsThereAre() {
    scheduler.add(recording("known", NEVER_BY_ITSELF));
    assertThatThrownBy(() -> scheduler.run("unknown")).hasMessageContaining("known");
    assertThatThrownBy(() -> scheduler.pause("unknown")).hasMessageContaining("known");
    assertThatThrownBy(() -> scheduler.resume("unknown")).hasMessageContaining("known");
    assertThat(scheduler.isPaused("unknown")).isFalse();
  }

  @Test
  void runNow_jobThatCannotBeRun_isToldWhichCan() {
    scheduler.add(recording("known", NEVER_BY_ITSELF));
    scheduler.add(recording("always", new Schedule.Continuous(new Told())));
    for (String job : List.of("unknown", "always")) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> scheduler.run(job))
          .withMessage("there is no job " + job + " to run; jobs: [known]")
          .extracting(MemoryException::code)
          .isEqualTo(ErrorCode.NOT_FOUND);
    }
    assertThat(runs).doesNotContain("known", "always");
  }

  @Test
  void names_areInOrder() {
    assertThat(scheduler.list().jobs()).isEmpty();
    scheduler.add(recording("second", NEVER_BY_ITSELF));
    scheduler.add(recording("first", NEVER_BY_ITSELF));
    assertThat(scheduler.list().jobs())
        .extracting(JobStatus::name)
        .containsExactly("first", "second");
  }

  @Test
  void isPaused_followsPauseAndResume() {
    scheduler.add(recording("job", NEVER_BY_ITSELF));
    assertThat(scheduler.isPaused("job")).isFalse();
    scheduler.pause("job");
    assertThat(scheduler.isPaused("job")).isTrue();
    scheduler.resume("job");
    assertThat(scheduler.isPaused("job")).isFalse();
  }

  @Test
  void running_fromStartToClose() {
    assertThat(scheduler.running()).isFalse();
    scheduler.start();
    assertThat(scheduler.running()).isTrue();
    scheduler.close();
    assertThat(scheduler.running()).isFalse();
  }

  @Test
  void workThatWasPaused_isHaltedAgainAfterARestart() {
    scheduler.add(recording("always", new Schedule.Continuous(new Told())));
    scheduler.pause("always");
    try (Scheduler again = scheduler()) {
      again.add(recording("always", new Schedule.Continuous(new Told())));
      assertThat(runs).containsExactly("resume", "pause", "pause");
    }
  }

  @Test
  void body_isToldWhetherSomebodyAsks() throws InterruptedException {
    scheduler.add(
        new Job(
            "job",
            SOON,
            new Job.Body() {
              @Override
              public Map<String, String> run() {
                runs.add("by itself");
                return Map.of();
              }

              @Override
              public Map<String, String> runOnRequest() {
                runs.add("on request");
                return Map.of();
              }
            }));
    scheduler.run("job");
    assertThat(next()).isEqualTo("on request");
    scheduler.start();
    scheduler.trigger("job");
    assertThat(next()).isEqualTo("by itself");
  }

  @Test
  void plan_forwards_wakesTheClock() throws InterruptedException {
    try (Scheduler waiting = started(recording("rare", NEVER_BY_ITSELF))) {
      waiting.plan("rare", Duration.ZERO);
      assertThat(next()).isEqualTo("rare");
    }
  }

  @Test
  void run_thatBegins_wakesTheClock_soItsTimeoutIsKept() throws InterruptedException {
    var never = new CountDownLatch(1);
    Job slow =
        new Job(
            "slow",
            NEVER_BY_ITSELF,
            Duration.ofMillis(20),
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                runs.add("interrupted");
              }
              return Map.of();
            });
    try (Scheduler waiting = started(slow)) {
      var asked = CompletableFuture.runAsync(() -> waiting.run("slow"));
      assertThat(next()).isEqualTo("interrupted");
      assertThat(asked)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableThat()
          .withMessageContaining("took longer than 20ms");
    }
  }

  /// One whose thread waits: nothing is due for a long time.
  private Scheduler started(Job job) throws InterruptedException {
    var turned = new CountDownLatch(1);
    var waiting =
        new Scheduler(
            () -> Instant.now(),
            () -> {
              turned.countDown();
              return System.nanoTime();
            },
            new SplittableRandom(1),
            store,
            threads);
    waiting.add(job);
    waiting.start();
    assertThat(turned.await(10, TimeUnit.SECONDS)).isTrue();
    // The turn holds the lock until it waits.
    assertThat(waiting.running()).isTrue();
    return waiting;
  }

  /// Notes what it is told.
  private final class Told implements Schedule.Pausable {
    @Override
    public void pause() {
      runs.add("pause");
    }

    @Override
    public void resume() {
      runs.add("resume");
    }
  }

  @Test
  void triggeredJob_runs_andAFailingOneDoesNotStopIt() throws InterruptedException {
    scheduler.add(
        new Job(
            "fail",
            SOON,
            () -> {
              runs.add("fail");
              throw new IllegalStateException("no luck");
            }));
    scheduler.add(recording("good", SOON));
    scheduler.start();
    scheduler.trigger("fail");
    assertThat(next()).isEqualTo("fail");
    scheduler.trigger("good");
    assertThat(next()).isEqualTo("good");
    scheduler.trigger("fail");
    assertThat(next()).isEqualTo("fail");
  }

  @Test
  void pausedJob_isNotRunByATrigger_butByHand_andStaysPausedOverARestart()
      throws InterruptedException {
    scheduler.add(recording("job", SOON));
    scheduler.start();
    scheduler.pause("job");
    scheduler.trigger("job");
    assertThat(runs.poll(200, TimeUnit.MILLISECONDS)).isNull();
    awaitOutcome(JobStatus.Outcome.SKIPPED);
    scheduler.run("job");
    assertThat(next()).isEqualTo("job");
    awaitOutcome(JobStatus.Outcome.SUCCESS);

    try (Scheduler again = scheduler()) {
      again.add(recording("job", SOON));
      assertThat(again.status().getFirst().paused()).isTrue();
      assertThat(again.status().getFirst().nextRun()).isEmpty();
    }

    scheduler.resume("job");
    scheduler.trigger("job");
    assertThat(next()).isEqualTo("job");
  }

  @Test
  void jobThatRefuses_pausesItself_alsoOverARestart_untilItIsResumed() throws InterruptedException {
    scheduler.add(refusing("picky", SOON, "no key"));
    scheduler.start();
    scheduler.trigger("picky");
    assertThat(next()).isEqualTo("picky");
    awaitOutcome(JobStatus.Outcome.FAILED);
    isPausedByItself(scheduler, "no key");
    awaitKept("picky");

    try (Scheduler again = scheduler()) {
      again.add(recording("picky", SOON));
      again.start();
      isPausedByItself(again, "no key");
      again.trigger("picky");
      assertThat(runs.poll(200, TimeUnit.MILLISECONDS)).isNull();
      isPausedByItself(again, "no key");

      // Nothing triggers it now: the resume alone sets it off.
      again.resume("picky");
      assertThat(next()).isEqualTo("picky");
      JobStatus status = again.status().getFirst();
      assertThat(status.paused()).isFalse();
      assertThat(status.pausedItself()).isFalse();
    }
    assertThat(store.checkpoint("job:picky").orElseThrow().attributes())
        .containsEntry("paused", "false")
        .containsEntry("paused_itself", "false");
  }

  @Test
  void runNow_failingOfSomethingKnown_keepsItsCode() {
    scheduler.add(
        new Job(
            "waits",
            NEVER_BY_ITSELF,
            () -> {
              throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, "overloaded");
            }));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> scheduler.run("waits"))
        .withMessage("job waits failed: overloaded")
        .extracting(MemoryException::code)
        .isEqualTo(ErrorCode.MODEL_UNAVAILABLE);
  }

  @Test
  void jobThatRefuses_runByHand_isPausedAndSaysWhy() {
    scheduler.add(refusing("picky", NEVER_BY_ITSELF, "no key"));
    for (int times = 1; times <= 2; times++) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> scheduler.run("picky"))
          .withMessage("job picky has paused itself: no key")
          .extracting(MemoryException::code)
          .isEqualTo(ErrorCode.CONFLICT);
      isPausedByItself(scheduler, "no key");
      assertThat(scheduler.status().getFirst().errors()).isEqualTo(times);
    }
  }

  @Test
  void jobThatPausedItself_pausedByHand_keepsItsReason() {
    scheduler.add(refusing("picky", NEVER_BY_ITSELF, "no key"));
    assertThatThrownBy(() -> scheduler.run("picky")).hasMessageContaining("no key");
    scheduler.pause("picky");
    isPausedByItself(scheduler, "no key");
    assertThat(store.checkpoint("job:picky").orElseThrow().attributes())
        .containsEntry("paused_itself", "true");
  }

  @Test
  void jobThatRefuses_refusingAgainAfterAResume_isPausedAgain() throws InterruptedException {
    scheduler.add(refusing("picky", SOON, "no key"));
    scheduler.start();
    scheduler.trigger("picky");
    assertThat(next()).isEqualTo("picky");
    awaitOutcome(JobStatus.Outcome.FAILED);
    scheduler.resume("picky");
    assertThat(next()).isEqualTo("picky");
    awaitPaused();
    isPausedByItself(scheduler, "no key");
  }

  private static void isPausedByItself(Scheduler where, String why) {
    JobStatus status = where.status().getFirst();
    assertThat(status.paused()).isTrue();
    assertThat(status.pausedItself()).isTrue();
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.FAILED);
    assertThat(status.lastError()).hasValue(why);
    assertThat(status.nextRun()).isEmpty();
  }

  private Job refusing(String name, Schedule schedule, String why) {
    return new Job(
        name,
        schedule,
        () -> {
          runs.add(name);
          throw new JobRefused(why);
        });
  }

  /// A crash right after the refusal must find the job paused.
  private void awaitKept(String job) {
    Await.until(
        "the pause is kept",
        () ->
            store
                .checkpoint("job:" + job)
                .filter(kept -> "true".equals(kept.attributes().get("paused")))
                .isPresent());
  }

  private void awaitPaused() {
    Await.until("the job is paused", () -> scheduler.status().getFirst().paused());
  }

  @Test
  void pauseAndResumeAtOnce_leaveStoreAndMemoryTheSame() {
    scheduler.add(recording("job", SOON));
    for (int round = 0; round < 200; round++) {
      var pausing = CompletableFuture.runAsync(() -> scheduler.pause("job"));
      scheduler.resume("job");
      pausing.join();
      Checkpoint kept = store.checkpoint("job:job").orElseThrow();
      assertThat(kept.attributes())
          .containsEntry("paused", Boolean.toString(scheduler.status().getFirst().paused()));
    }
  }

  @Test
  void add_cronExpressionThatIsWrong_isRefused() {
    var wrong = new Schedule.Cron("61 * * * *", ZoneOffset.UTC, Duration.ZERO);
    assertThatThrownBy(() -> scheduler.add(recording("job", wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected minute, hour");
    assertThat(scheduler.status()).isEmpty();
  }

  @Test
  void due_isTheFirstOfAllJobsThatAreNotPaused() {
    assertThat(scheduler.due()).isEmpty();
    Instant noon = Instant.parse("2026-01-30T12:00:00Z");
    scheduler.add(recording("never", NEVER_BY_ITSELF));
    scheduler.add(due("late", noon.plusSeconds(1)));
    scheduler.add(due("early", noon));
    assertThat(scheduler.due()).hasValue(noon);
    scheduler.pause("early");
    assertThat(scheduler.due()).hasValue(noon.plusSeconds(1));
  }

  private static Job due(String name, Instant time) {
    return new Job(name, NEVER_BY_ITSELF, Job.DEFAULT_TIMEOUT, Map::of, () -> Optional.of(time));
  }

  @Test
  void isWorking_onlyWhileAJobRuns_notForOneThatRunsAllTheTime() {
    var release = new CountDownLatch(1);
    scheduler.add(recording("always", new Schedule.Continuous(new Told())));
    scheduler.add(
        new Job(
            "work",
            SOON,
            () -> {
              runs.add("work");
              Await.until("the release", () -> release.getCount() == 0);
              return Map.of();
            }));
    scheduler.start();
    assertThat(scheduler.isWorking()).isFalse();
    scheduler.trigger("work");
    Await.until("a run", () -> runs.contains("work"));
    assertThat(scheduler.isWorking()).isTrue();
    release.countDown();
    Await.until("the end of the run", () -> !scheduler.isWorking());
  }

  @Test
  void jobOnRequest_isPlannedByATriggerOnly() throws InterruptedException {
    scheduler.add(recording("rare", new Schedule.OnRequest()));
    assertThat(scheduler.status().getFirst().nextRun()).isEmpty();
    scheduler.start();
    scheduler.trigger("rare");
    assertThat(next()).isEqualTo("rare");
  }

  @Test
  void periodicJob_runsAgainAndAgain() throws InterruptedException {
    scheduler.add(recording("often", new Schedule.Every(Duration.ofMillis(5))));
    scheduler.start();
    assertThat(next()).isEqualTo("often");
    assertThat(next()).isEqualTo("often");
  }

  @Test
  void rareJob_goesOnCountingOverRestarts() throws InterruptedException {
    Instant noon = Instant.parse("2026-01-30T12:00:00Z");
    assertThat(nextRunAtStart(noon)).hasValue(noon.plus(ONE_DAY));
    assertThat(nextRunAtStart(noon.plusSeconds(3600))).hasValue(noon.plus(ONE_DAY));
    Instant late = noon.plus(ONE_DAY).plusSeconds(7200);
    try (Scheduler restarted = scheduler(() -> late)) {
      restarted.add(recording("rare", NEVER_BY_ITSELF));
      restarted.start();
      assertThat(next()).isEqualTo("rare");
    }
    assertThat(nextRunAtStart(late.plusSeconds(60))).hasValue(late.plus(ONE_DAY));
  }

  @Test
  void rareJob_pausedAndResumed_isStillCountedFromItsLastRun() {
    Instant noon = Instant.parse("2026-01-30T12:00:00Z");
    try (Scheduler first = scheduler(() -> noon)) {
      first.add(recording("rare", NEVER_BY_ITSELF));
      first.pause("rare");
      first.resume("rare");
    }
    assertThat(nextRunAtStart(noon.plusSeconds(3600))).hasValue(noon.plus(ONE_DAY));
  }

  private Optional<Instant> nextRunAtStart(Instant now) {
    try (Scheduler restarted = scheduler(() -> now)) {
      restarted.add(recording("rare", NEVER_BY_ITSELF));
      return restarted.status().getFirst().nextRun();
    }
  }

  private Scheduler scheduler() {
    return scheduler(() -> Instant.now());
  }

  private Scheduler scheduler(InstantSource clock) {
    return new Scheduler(clock, System::nanoTime, new SplittableRandom(1), store, threads);
  }

  private Job recording(String name, Schedule schedule) {
    return new Job(
        name,
        schedule,
        () -> {
          runs.add(name);
          return Map.of();
        });
  }

  @Test
  void jobSkippedWhilePaused_isMadeUpForOnceResumed() throws InterruptedException {
    scheduler.add(recording("job", SOON));
    scheduler.start();
    scheduler.pause("job");
    scheduler.trigger("job");
    awaitOutcome(JobStatus.Outcome.SKIPPED);
    scheduler.resume("job");
    assertThat(next()).isEqualTo("job");
    awaitOutcome(JobStatus.Outcome.SUCCESS);
  }

  private void awaitOutcome(JobStatus.Outcome expected) {
    Await.until(expected.toString(), () -> scheduler.status().getFirst().lastOutcome() == expected);
  }

  private String next() throws InterruptedException {
    String run = runs.poll(10, TimeUnit.SECONDS);
    assertThat(run).as("a run within 10 s").isNotNull();
    return run == null ? "" : run;
  }
}
