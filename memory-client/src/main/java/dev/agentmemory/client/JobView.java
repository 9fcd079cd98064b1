package dev.agentmemory.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A job of the daemon and its last run.
///
/// @param schedule when it runs: a cron expression, or a readable form where there is none
/// @param lastRun when the last run began; empty when it has never run
/// @param lastError why the last run failed or was skipped
/// @param nextRun when it will run; empty when it waits for work or is paused
/// @param skips how often it was due and could not run
/// @param pausedItself whether it is paused because a run refused to go on before somebody has done
///   something; `lastError` says what
/// @param metadata what the last run did
public record JobView(
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

  public JobView {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(lastOutcome, "lastOutcome");
    metadata = Map.copyOf(metadata);
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
