package dev.agentmemory.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A job and its last run.
///
/// @param schedule when it runs: the cron expression, or a readable form where there is none
/// @param lastRun when the last run began; empty when it has never run
/// @param lastDuration how long the last run took
/// @param lastError why the last run failed or was skipped
/// @param nextRun when it will run; empty when it waits for work or is paused
/// @param runs since the store was made; a crash may take the last ones of frequent jobs along
/// @param errors how many of them failed
/// @param skips how often it was due but paused, or its run before went on
/// @param running also while a run that took too long does not come back
/// @param pausedItself whether it is paused because a run refused to go on before somebody has done
///   something; `lastError` says what
/// @param metadata what the last run did
public record JobStatus(
    String name,
    String schedule,
    Optional<Instant> lastRun,
    Duration lastDuration,
    Outcome lastOutcome,
    Optional<String> lastError,
    Optional<Instant> nextRun,
    long runs,
    long errors,
    long skips,
    boolean running,
    boolean paused,
    boolean pausedItself,
    Map<String, String> metadata) {

  /// The name in `metadata` under which a run tells, in a sentence, what it has found wrong.
  public static final String PROBLEM = "problem";

  public JobStatus {
    Objects.requireNonNull(name, "name");
    metadata = Map.copyOf(metadata);
  }

  /// The same without what the last run did and why it failed.
  public JobStatus withoutDetails() {
    return new JobStatus(
        name,
        schedule,
        lastRun,
        lastDuration,
        lastOutcome,
        Optional.empty(),
        nextRun,
        runs,
        errors,
        skips,
        running,
        paused,
        pausedItself,
        Map.of());
  }

  /// How a run ended.
  public enum Outcome {
    /// It has not run yet.
    NONE,
    SUCCESS,
    FAILED,
    /// It was due but paused (it runs as soon as it is resumed), or its run before still went on.
    SKIPPED
  }
}
