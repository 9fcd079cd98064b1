package dev.agentmemory.pipeline.job;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.types.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A job with its history and its next run. All methods are called under the scheduler's lock.
final class JobRun {

  /// Jobs with this interval or a longer one are rare.
  private static final Duration RARE = Duration.ofHours(1);

  final Job job;
  private final RandomGenerator random;
  private final Optional<CronTimes> times;
  private final boolean rare;
  private JobHistory history;
  private @Nullable Attempt attempt;
  private boolean paused;
  private boolean pausedItself;
  private boolean reported;
  private Instant countedFrom;
  private Optional<Instant> firstTrigger = Optional.empty();
  private Optional<Instant> due;

  /// @param kept its stored state
  JobRun(Job job, RandomGenerator random, Instant now, JobMark kept) {
    this.job = job;
    this.random = random;
    this.times =
        job.schedule() instanceof Schedule.Cron(var expression, var zone, var _)
            ? Optional.of(CronTimes.of(expression, zone))
            : Optional.empty();
    this.rare = spacing(now).filter(spacing -> spacing.compareTo(RARE) >= 0).isPresent();
    this.paused = kept.paused();
    this.pausedItself = kept.paused() && kept.pausedItself();
    this.history = kept.history();
    // A clock that was set back must not delay the next run.
    this.countedFrom = kept.countedFrom().filter(from -> rare && from.isBefore(now)).orElse(now);
    this.due = atStart(now);
  }

  private Optional<Duration> spacing(Instant now) {
    return switch (job.schedule()) {
      case Schedule.Cron cron -> times.map(cronTimes -> cronTimes.spacing(now));
      case Schedule.Every(Duration period) -> Optional.of(period);
      case Schedule.OnTrigger triggered -> Optional.empty();
      case Schedule.OnRequest request -> Optional.empty();
      case Schedule.Continuous continuous -> Optional.empty();
    };
  }

  /// A cron time that was missed while the daemon was stopped is made up for within the jitter, so
  /// that not all such jobs start at once.
  private Optional<Instant> atStart(Instant now) {
    Optional<Instant> planned = after(countedFrom);
    boolean missed = planned.filter(time -> !time.isAfter(now)).isPresent();
    return missed && job.schedule() instanceof Schedule.Cron cron
        ? Optional.of(now.plus(drawn(cron.jitter())))
        : planned;
  }

  boolean isPaused() {
    return paused;
  }

  /// Whether its spacing is so long that it must outlast restarts: a daemon that is restarted every
  /// day would never reach its end.
  boolean isRare() {
    return rare;
  }

  JobMark mark() {
    return new JobMark(
        paused, pausedItself, rare ? Optional.of(countedFrom) : Optional.empty(), history);
  }

  /// When the scheduler has to call [#isToRun]: to run the job, or to record that it could not.
  Optional<Instant> wake() {
    // The reported reason is why the job paused itself, not that it was due since.
    boolean waits =
        (paused && (reported || pausedItself))
            || (attempt != null && !isPeriodic() && !reportsHanging());
    return waits ? Optional.empty() : due;
  }

  /// Handles the job when it is due.
  ///
  /// @return whether it has to run now
  boolean isToRun(Instant now) {
    if (wake().filter(time -> !time.isAfter(now)).isEmpty()) {
      return false;
    }
    if (paused) {
      // It stays due and runs once it is resumed.
      skip("it is paused");
      return false;
    }
    if (attempt == null) {
      return true;
    }
    skip(
        attempt.isOverdue()
            ? hangs(attempt)
            : "its run of " + attempt.begun + " was still running when it was due again");
    if (isPeriodic()) {
      due = after(now);
    }
    return false;
  }

  private void skip(String reason) {
    reported = true;
    history = history.skipped(reason);
  }

  private boolean isPeriodic() {
    return job.schedule() instanceof Schedule.Cron || job.schedule() instanceof Schedule.Every;
  }

  private boolean reportsHanging() {
    return attempt != null && attempt.isOverdue() && !reported;
  }

  private String hangs(Attempt old) {
    return "its run of %s hangs: it was interrupted after %s and has not stopped; the job runs"
            .formatted(old.begun, Schedule.shortest(job.timeout()))
        + " again when it has stopped, or after a restart of the daemon";
  }

  /// Why no other run can begin, maybe until the daemon is restarted.
  Optional<String> hanging() {
    return Optional.ofNullable(attempt).filter(Attempt::isOverdue).map(this::hangs);
  }

  /// The run that has not returned.
  Optional<Attempt> attempt() {
    return Optional.ofNullable(attempt);
  }

  /// A job that paused itself is due at once when it is resumed, because it had not finished.
  void setPaused(boolean value, Instant now) {
    if (!value && pausedItself) {
      pausedItself = false;
      due = Optional.of(now);
    }
    paused = value;
    reported = false;
    if (job.schedule() instanceof Schedule.Continuous(Schedule.Pausable work)) {
      if (value) {
        work.pause();
      } else {
        work.resume();
      }
    }
  }

  /// Has no effect on a job with fixed times or a continuous one.
  void trigger(Instant now) {
    if (job.schedule() instanceof Schedule.OnTrigger triggered) {
      Instant first = firstTrigger.orElse(now);
      firstTrigger = Optional.of(first);
      Instant quiet = now.plus(triggered.quiet());
      Instant latest = first.plus(triggered.atMost());
      due = Optional.of(quiet.isBefore(latest) ? quiet : latest);
    } else if (job.schedule() instanceof Schedule.OnRequest) {
      due = Optional.of(now);
    }
  }

  /// Sets the time of the next run.
  void plan(Instant at) {
    due = Optional.of(at);
  }

  Attempt begin(Instant now) {
    var begun = new Attempt(now);
    attempt = begun;
    reported = false;
    firstTrigger = Optional.empty();
    due = after(now);
    countedFrom = now;
    history = history.begun(now);
    return begun;
  }

  /// Ends the run in the history when it has exceeded its time limit. Its body may still run.
  ///
  /// @return whether it ended now
  boolean expire(long nanos) {
    if (attempt == null
        || !attempt.isInside()
        || attempt.isOverdue()
        || attempt.lasts(nanos).compareTo(job.timeout()) < 0) {
      return false;
    }
    attempt.expire();
    record(
        attempt,
        nanos,
        Attempt.Result.failed(
            ErrorCode.INTERNAL,
            "took longer than %s (jobs.timeout) and was interrupted"
                .formatted(Schedule.shortest(job.timeout()))));
    return true;
  }

  /// Time until the current run exceeds its time limit.
  Optional<Duration> timeLeft(long nanos) {
    return Optional.ofNullable(attempt)
        .filter(current -> current.isInside() && !current.isOverdue())
        .map(current -> job.timeout().minus(current.lasts(nanos)));
  }

  /// The body has returned.
  void end(Attempt ended, long nanos, Attempt.Result result) {
    if (!ended.isOverdue()) {
      record(ended, nanos, result);
    }
    attempt = null;
    reported = false;
  }

  /// A planned run does not take place.
  void withdraw() {
    attempt = null;
  }

  private void record(Attempt over, long nanos, Attempt.Result result) {
    Duration took = over.lasts(nanos);
    history =
        result.error().isPresent()
            ? history.failed(took, result.error().get())
            : history.succeeded(took, result.did());
    if (result.refused()) {
      paused = true;
      pausedItself = true;
    }
    over.result.complete(result);
  }

  JobStatus status() {
    return new JobStatus(
        job.name(),
        job.schedule().readable(),
        history.lastRun(),
        history.lastDuration(),
        history.outcome(),
        history.why(),
        paused ? Optional.empty() : due,
        history.runs(),
        history.errors(),
        history.skips(),
        attempt != null || (!paused && job.schedule() instanceof Schedule.Continuous),
        paused,
        pausedItself,
        history.did());
  }

  /// When its schedule makes it due again.
  private Optional<Instant> after(Instant now) {
    return switch (job.schedule()) {
      case Schedule.Cron cron -> times.map(named -> jittered(named, now, cron.jitter()));
      case Schedule.Every every -> Optional.of(now.plus(every.period()));
      case Schedule.OnTrigger triggered -> Optional.of(now.plus(triggered.every()));
      case Schedule.OnRequest request -> Optional.empty();
      case Schedule.Continuous continuous -> Optional.empty();
    };
  }

  private Instant jittered(CronTimes named, Instant now, Duration jitter) {
    Duration half = named.spacing(now).dividedBy(2);
    return named.next(now).plus(drawn(jitter.compareTo(half) < 0 ? jitter : half));
  }

  private Duration drawn(Duration atMost) {
    return Duration.ofMillis(random.nextLong(atMost.toMillis() + 1));
  }
}
