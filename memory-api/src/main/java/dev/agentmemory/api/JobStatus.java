package dev.agentmemory.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A job and its last run.
///
/// @param schedule when it runs: the cron expression, or a readable form where there is none
/// @param lastRun when the last run began; empty when it has never run
/// @param lastDuration how long the last run took
/// @param lastError why the last run failed or was skipped
/// @param nextRun when it will run; empty when it waits for work or is paused
/// @param runs since the store was created; the last runs of frequent jobs may be lost in a crash
/// @param errors how many of them failed
/// @param skips how often it was due but paused, or its previous run had not finished
/// @param running also while a run that exceeded its time limit has not returned
/// @param pausedItself whether a run paused the job because an operator has to act first;
///   `lastError` gives the reason
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

  /// The name in `metadata` under which a run reports a problem that it found, as a sentence.
  public static final String PROBLEM = "problem";

  public JobStatus {
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
    /// It was due but paused (it runs as soon as it is resumed), or its previous run had not
    /// finished.
    SKIPPED
  }
}
