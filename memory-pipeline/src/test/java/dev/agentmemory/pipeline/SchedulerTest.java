package dev.agentmemory.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.testkit.HeapStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
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

/// Jobs that run when due, when poked, and when asked.
class SchedulerTest {

  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Schedule NEVER_BY_ITSELF = new Schedule.Every(ONE_DAY);
  private static final Schedule SOON =
      new Schedule.OnPoke(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofDays(1));

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
    assertThat(scheduler.runNow("count")).containsEntry("nodes", "3");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.runs()).isEqualTo(1);
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.SUCCESS);
    assertThat(status.metadata()).containsEntry("nodes", "3");
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
    assertThatThrownBy(() -> scheduler.runNow("fail")).hasMessageContaining("no luck");
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
    scheduler.poke("broken");
    assertThat(next()).isEqualTo("broken");
    assertThatThrownBy(() -> scheduler.runNow("broken")).hasMessageContaining("links to nowhere");
    JobStatus status = scheduler.status().getFirst();
    assertThat(status.running()).isFalse();
    assertThat(status.errors()).isEqualTo(2);
    assertThat(status.lastOutcome()).isEqualTo(JobStatus.Outcome.FAILED);
  }

  @Test
  void unknownJob_isToldWhichJobsThereAre() {
    scheduler.add(recording("known", NEVER_BY_ITSELF));
    assertThatThrownBy(() -> scheduler.runNow("unknown")).hasMessageContaining("known");
    assertThat(scheduler.pause("unknown")).isFalse();
    assertThat(scheduler.resume("unknown")).isFalse();
  }

  @Test
  void pokedJob_runs_andAFailingOneDoesNotStopIt() throws InterruptedException {
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
    scheduler.poke("fail");
    assertThat(next()).isEqualTo("fail");
    scheduler.poke("good");
    assertThat(next()).isEqualTo("good");
    scheduler.poke("fail");
    assertThat(next()).isEqualTo("fail");
  }

  @Test
  void pausedJob_isNotRunByAPoke_butByHand_andStaysPausedOverARestart()
      throws InterruptedException {
    scheduler.add(recording("job", SOON));
    scheduler.start();
    assertThat(scheduler.pause("job")).isTrue();
    scheduler.poke("job");
    assertThat(runs.poll(200, TimeUnit.MILLISECONDS)).isNull();
    awaitOutcome(JobStatus.Outcome.SKIPPED);
    scheduler.runNow("job");
    assertThat(next()).isEqualTo("job");
    awaitOutcome(JobStatus.Outcome.SUCCESS);

    try (Scheduler again = scheduler()) {
      again.add(recording("job", SOON));
      assertThat(again.status().getFirst().paused()).isTrue();
      assertThat(again.status().getFirst().nextRun()).isEmpty();
    }

    scheduler.resume("job");
    scheduler.poke("job");
    assertThat(next()).isEqualTo("job");
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
  void jobOnRequest_isPlannedByAPokeOnly() throws InterruptedException {
    scheduler.add(recording("rare", new Schedule.OnRequest()));
    assertThat(scheduler.status().getFirst().nextRun()).isEmpty();
    scheduler.start();
    scheduler.poke("rare");
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
    scheduler.poke("job");
    awaitOutcome(JobStatus.Outcome.SKIPPED);
    scheduler.resume("job");
    assertThat(next()).isEqualTo("job");
    awaitOutcome(JobStatus.Outcome.SUCCESS);
  }

  private void awaitOutcome(JobStatus.Outcome expected) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (scheduler.status().getFirst().lastOutcome() != expected
        && System.nanoTime() < deadline) {
      var _ = new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
    }
    assertThat(scheduler.status().getFirst().lastOutcome()).isEqualTo(expected);
  }

  private String next() throws InterruptedException {
    String run = runs.poll(10, TimeUnit.SECONDS);
    assertThat(run).as("a run within 10 s").isNotNull();
    return run == null ? "" : run;
  }
}
