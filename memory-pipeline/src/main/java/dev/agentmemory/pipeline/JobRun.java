package dev.agentmemory.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A job with its history and what is planned. All methods are called under the scheduler's lock,
/// but for [#execute].
final class JobRun {

  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

  /// From this period on, jobs are rare.
  private static final Duration RARE = Duration.ofHours(1);

  final Job job;
  private Optional<Instant> lastRun = Optional.empty();
  private Duration lastDuration = Duration.ZERO;
  private JobStatus.Outcome outcome = JobStatus.Outcome.NONE;
  private Optional<String> error = Optional.empty();
  private Map<String, String> metadata = Map.of();
  private long runs;
  private long errors;
  private boolean running;
  private boolean paused;
  private boolean skipped;
  private Instant countedFrom;
  private Optional<Instant> firstPoke = Optional.empty();
  private Optional<Instant> due;

  /// @param kept what was kept of it before the last stop
  JobRun(Job job, Instant now, JobMark kept) {
    this.job = job;
    this.paused = kept.paused();
    // A clock that was set back must not put the next run off.
    this.countedFrom =
        kept.countedFrom().filter(from -> isRare() && from.isBefore(now)).orElse(now);
    this.due = after(countedFrom);
  }

  /// Whether its period is so long that it must outlast restarts: a daemon that is started anew
  /// every day would never reach its end.
  boolean isRare() {
    return job.schedule() instanceof Schedule.Every(Duration period) && period.compareTo(RARE) >= 0;
  }

  JobMark mark() {
    return new JobMark(paused, isRare() ? Optional.of(countedFrom) : Optional.empty());
  }

  /// When it is to run next; empty when nothing is planned.
  Optional<Instant> next() {
    return paused || running ? Optional.empty() : due;
  }

  /// When the scheduler has to look at it: to run it, or to note that it could not.
  Optional<Instant> wake() {
    return running || (paused && skipped) ? Optional.empty() : due;
  }

  /// Notes that it was due while it is paused. It stays due and is made up for afterwards.
  void skip() {
    skipped = true;
    outcome = JobStatus.Outcome.SKIPPED;
  }

  boolean isPaused() {
    return paused;
  }

  boolean isRunning() {
    return running;
  }

  void setPaused(boolean value) {
    paused = value;
    skipped = false;
    if (job.schedule() instanceof Schedule.Continuous(Schedule.Pausable work)) {
      if (value) {
        work.pause();
      } else {
        work.resume();
      }
    }
  }

  void poke(Instant now) {
    switch (job.schedule()) {
      case Schedule.OnPoke poked -> {
        Instant first = firstPoke.orElse(now);
        firstPoke = Optional.of(first);
        Instant quiet = now.plus(poked.quiet());
        Instant latest = first.plus(poked.atMost());
        due = Optional.of(quiet.isBefore(latest) ? quiet : latest);
      }
      case Schedule.OnRequest() -> due = Optional.of(now);
      case Schedule.Every every -> {}
      case Schedule.Continuous continuous -> {}
    }
  }

  void begin(Instant now) {
    running = true;
    skipped = false;
    firstPoke = Optional.empty();
    due = after(now);
    lastRun = Optional.of(now);
  }

  /// Runs the body on the calling thread, without the lock. Never throws: whatever ends the body, a
  /// run that has begun must come to its end, or the job would seem to run for ever.
  Result execute(InstantSource clock, Ticker ticker) {
    Instant started = clock.instant();
    long from = ticker.nanos();
    try {
      Map<String, String> did = job.body().run();
      return new Result(started, Duration.ofNanos(ticker.nanos() - from), Optional.empty(), did);
    } catch (Throwable e) {
      LOG.error("job {} failed", job.name(), e);
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return new Result(
          started, Duration.ofNanos(ticker.nanos() - from), Optional.of(reason), Map.of());
    }
  }

  void end(Result result) {
    running = false;
    runs++;
    countedFrom = result.started;
    lastDuration = result.took;
    error = result.error;
    metadata = result.did;
    outcome = error.isEmpty() ? JobStatus.Outcome.SUCCESS : JobStatus.Outcome.FAILED;
    errors += error.isEmpty() ? 0 : 1;
  }

  JobStatus status() {
    return new JobStatus(
        job.name(),
        job.schedule().readable(),
        lastRun,
        lastDuration,
        outcome,
        error,
        next(),
        runs,
        errors,
        running || (!paused && job.schedule() instanceof Schedule.Continuous),
        paused,
        metadata);
  }

  /// When it is due again by itself.
  private Optional<Instant> after(Instant now) {
    return switch (job.schedule()) {
      case Schedule.Every every -> Optional.of(now.plus(every.period()));
      case Schedule.OnPoke poked -> Optional.of(now.plus(poked.every()));
      case Schedule.OnRequest request -> Optional.empty();
      case Schedule.Continuous continuous -> Optional.empty();
    };
  }

  /// How a run went.
  record Result(Instant started, Duration took, Optional<String> error, Map<String, String> did) {}
}
