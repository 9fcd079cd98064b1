package dev.agentmemory.pipeline.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// When a job is due, without a thread that runs it.
class JobRunTest {

  private static final Instant NOON = Instant.parse("2026-01-30T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final JobMark NEW = new JobMark(false, false, Optional.empty(), JobHistory.NONE);

  private static JobRun run(Schedule schedule, JobMark kept) {
    var job = new Job("job", schedule, MINUTE, Map::of);
    return new JobRun(job, new SplittableRandom(7), NOON, kept);
  }

  private static JobRun run(Schedule schedule) {
    return run(schedule, NEW);
  }

  private static Schedule cron(String expression) {
    return new Schedule.Cron(expression, ZoneOffset.UTC, Duration.ZERO);
  }

  private static JobMark countedFrom(Instant time) {
    return new JobMark(false, false, Optional.of(time), JobHistory.NONE);
  }

  @Test
  void jobsAnHourApartOrMore_areRare() {
    assertThat(run(new Schedule.Every(HOUR)).isRare()).isTrue();
    assertThat(run(new Schedule.Every(HOUR.minus(MILLI))).isRare()).isFalse();
    assertThat(run(cron("0 * * * *")).isRare()).isTrue();
    assertThat(run(cron("*/30 * * * *")).isRare()).isFalse();
    assertThat(run(new Schedule.OnTrigger(MILLI, MILLI, HOUR)).isRare()).isFalse();
    assertThat(run(new Schedule.OnRequest()).isRare()).isFalse();
  }

  @Test
  void restart_rareJobGoesOnCounting_othersCountAnew() {
    Instant before = NOON.minus(Duration.ofMinutes(40));
    JobRun rare = run(new Schedule.Every(HOUR), countedFrom(before));
    assertThat(rare.wake()).contains(before.plus(HOUR));
    assertThat(rare.mark().countedFrom()).contains(before);
    Schedule often = new Schedule.Every(HOUR.minus(MILLI));
    assertThat(run(often, countedFrom(before)).wake()).contains(NOON.plus(HOUR).minus(MILLI));
    assertThat(run(often, countedFrom(before)).mark().countedFrom()).isEmpty();
  }

  @Test
  void restart_clockSetBackMeanwhile_doesNotPutTheNextRunOff() {
    JobRun run = run(new Schedule.Every(HOUR), countedFrom(NOON.plus(Duration.ofDays(9))));
    assertThat(run.wake()).contains(NOON.plus(HOUR));
  }

  @Test
  void restart_periodThatHasPassed_isDueAtOnce_alsoExactlyAtItsTime() {
    JobRun late = run(new Schedule.Every(HOUR), countedFrom(NOON.minus(HOUR)));
    assertThat(late.isToRun(NOON)).isTrue();
    JobRun named = run(cron("0 12 * * *"), countedFrom(NOON.minus(HOUR)));
    assertThat(named.wake()).contains(NOON);
    assertThat(named.isToRun(NOON)).isTrue();
    JobRun missed = run(cron("0 11 * * *"), countedFrom(NOON.minus(Duration.ofHours(2))));
    assertThat(missed.wake()).as("made up for").contains(NOON);
  }

  @Test
  void restart_namedTimeThatHasNotPassed_staysPlanned() {
    JobRun run = run(cron("0 13 * * *"), countedFrom(NOON.minus(HOUR)));
    assertThat(run.wake()).contains(NOON.plus(HOUR));
    assertThat(run.isToRun(NOON.plus(HOUR).minus(MILLI))).isFalse();
    assertThat(run.isToRun(NOON.plus(HOUR))).isTrue();
  }

  @Test
  void periodicJob_dueWhileItRuns_isSkippedAndPlannedAnew() {
    JobRun run = run(new Schedule.Every(HOUR));
    Attempt attempt = run.begin(NOON);
    assertThat(run.attempt()).contains(attempt);
    assertThat(run.status().running()).isTrue();
    assertThat(run.isToRun(NOON.plus(HOUR))).isFalse();
    assertThat(run.status().skips()).isEqualTo(1);
    assertThat(run.wake()).contains(NOON.plus(HOUR.multipliedBy(2)));
    assertThat(run.status().nextRun()).isEqualTo(run.wake());
    attempt.enter(0);
    attempt.leave();
    run.end(attempt, 1, Attempt.Result.succeeded(Map.of()));
    assertThat(run.status().running()).isFalse();
    assertThat(run.isToRun(NOON.plus(HOUR.multipliedBy(2)))).isTrue();
  }

  @Test
  void jobAtNamedTimes_dueWhileItRuns_isSkippedAndPlannedAnew() {
    JobRun run = run(cron("0 * * * *"));
    run.begin(NOON);
    assertThat(run.wake()).contains(NOON.plus(HOUR));
    assertThat(run.isToRun(NOON.plus(HOUR))).isFalse();
    assertThat(run.status().skips()).isEqualTo(1);
    assertThat(run.wake()).contains(NOON.plus(HOUR.multipliedBy(2)));
  }

  @Test
  void jobOnRequest_isDueWhenItIsTriggered() {
    JobRun run = run(new Schedule.OnRequest());
    assertThat(run.wake()).isEmpty();
    assertThat(run.isToRun(NOON)).isFalse();
    run.trigger(NOON.plusSeconds(1));
    assertThat(run.wake()).contains(NOON.plusSeconds(1));
    assertThat(run.status().nextRun()).contains(NOON.plusSeconds(1));
    run.setPaused(true, NOON);
    assertThat(run.status().nextRun()).isEmpty();
  }

  @Test
  void triggers_areWaitedOutUntilItIsQuiet_butNotForEver() {
    JobRun run = run(new Schedule.OnTrigger(MINUTE, MINUTE.multipliedBy(2), HOUR));
    assertThat(run.wake()).contains(NOON.plus(HOUR));
    run.trigger(NOON);
    assertThat(run.wake()).contains(NOON.plus(MINUTE));
    run.trigger(NOON.plusSeconds(30));
    assertThat(run.wake()).contains(NOON.plusSeconds(90));
    run.trigger(NOON.plusSeconds(80));
    assertThat(run.wake()).contains(NOON.plusSeconds(120));
    run.begin(NOON.plusSeconds(120));
    run.withdraw();
    assertThat(run.wake()).contains(NOON.plusSeconds(120).plus(HOUR));
    run.trigger(NOON.plusSeconds(130));
    assertThat(run.wake()).as("counted anew").contains(NOON.plusSeconds(190));
  }

  @Test
  void trigger_ofAJobThatGoesByTheClock_changesNothing() {
    for (Schedule schedule : List.of(new Schedule.Every(HOUR), cron("0 13 * * *"))) {
      JobRun run = run(schedule);
      run.trigger(NOON.plusSeconds(1));
      assertThat(run.wake()).contains(NOON.plus(HOUR));
    }
  }

  @Test
  void paused_jobThatIsDue_saysOnceThatItIsPaused_andIsMadeUpFor() {
    JobRun run = run(new Schedule.Every(HOUR));
    run.setPaused(true, NOON);
    assertThat(run.isToRun(NOON.plus(HOUR))).isFalse();
    assertThat(run.status().skips()).isEqualTo(1);
    assertThat(run.status().lastError()).contains("it is paused");
    assertThat(run.wake()).isEmpty();
    assertThat(run.isToRun(NOON.plus(HOUR))).isFalse();
    assertThat(run.status().skips()).isEqualTo(1);
    run.setPaused(false, NOON.plus(HOUR));
    assertThat(run.isToRun(NOON.plus(HOUR))).isTrue();
  }

  @Test
  void refusal_pausesTheJobByItself_andAResumeMakesItDueAtOnce() {
    JobRun run = run(new Schedule.Every(HOUR));
    Attempt attempt = run.begin(NOON);
    attempt.enter(0);
    run.end(attempt, 1, Attempt.Result.refused("no key"));
    assertThat(run.mark().paused()).isTrue();
    assertThat(run.mark().pausedItself()).isTrue();
    assertThat(run.wake()).isEmpty();
    run.setPaused(false, NOON.plusSeconds(1));
    assertThat(run.mark().pausedItself()).isFalse();
    assertThat(run.wake()).contains(NOON.plusSeconds(1));
  }

  @Test
  void restart_reasonOfAPauseIsKeptOnlyWithThePause() {
    var odd = new JobMark(false, true, Optional.empty(), JobHistory.NONE);
    assertThat(run(new Schedule.Every(HOUR), odd).status().pausedItself()).isFalse();
    var own = new JobMark(true, true, Optional.empty(), JobHistory.NONE);
    assertThat(run(new Schedule.Every(HOUR), own).status().pausedItself()).isTrue();
  }

  @Test
  void continuousWork_isHaltedAndLetGoOn() {
    List<String> told = new ArrayList<>();
    JobRun run =
        run(
            new Schedule.Continuous(
                new Schedule.Pausable() {
                  @Override
                  public void pause() {
                    told.add("pause");
                  }

                  @Override
                  public void resume() {
                    told.add("resume");
                  }
                }));
    assertThat(run.status().running()).isTrue();
    assertThat(run.wake()).isEmpty();
    run.setPaused(true, NOON);
    assertThat(run.status().running()).isFalse();
    run.setPaused(false, NOON);
    assertThat(told).containsExactly("pause", "resume");
  }

  @Test
  void expire_atExactlyTheTimeout_onceAndOnlyInsideTheBody() {
    JobRun run = run(new Schedule.OnRequest());
    assertThat(run.expire(Long.MAX_VALUE)).isFalse();
    Attempt attempt = run.begin(NOON);
    assertThat(run.expire(Long.MAX_VALUE)).as("not begun").isFalse();
    assertThat(run.timeLeft(0)).isEmpty();
    attempt.enter(5);
    assertThat(run.timeLeft(5)).contains(MINUTE);
    assertThat(run.expire(5 + MINUTE.toNanos() - 1)).isFalse();
    assertThat(run.expire(5 + MINUTE.toNanos())).isTrue();
    assertThat(Thread.interrupted()).as("the body's thread").isTrue();
    assertThat(run.expire(5 + MINUTE.toNanos())).isFalse();
    assertThat(run.timeLeft(5 + MINUTE.toNanos())).isEmpty();
    assertThat(run.hanging().orElseThrow()).contains("hangs", "1m");
    assertThat(run.status().errors()).isEqualTo(1);
    assertThat(attempt.result).isCompleted();

    attempt.leave();
    run.end(attempt, MINUTE.toNanos() * 9, Attempt.Result.succeeded(Map.of()));
    assertThat(run.status().runs()).as("a late end counts no more").isEqualTo(1);
    assertThat(run.status().lastDuration()).isEqualTo(MINUTE);
    assertThat(run.hanging()).isEmpty();
    assertThat(run.attempt()).isEmpty();
  }

  @Test
  void hangingRun_ofAJobOnRequest_isToldOfOnce() {
    JobRun run = run(new Schedule.OnRequest());
    Attempt attempt = run.begin(NOON);
    attempt.enter(0);
    run.trigger(NOON);
    assertThat(run.wake()).as("it waits for the run").isEmpty();
    assertThat(run.expire(MINUTE.toNanos())).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(run.wake()).contains(NOON);
    assertThat(run.isToRun(NOON)).isFalse();
    assertThat(run.status().lastError().orElseThrow()).contains("hangs");
    assertThat(run.wake()).isEmpty();
    assertThat(run.status().skips()).isEqualTo(1);
  }
}
