package dev.agentmemory.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A job and its last run.
///
/// @param schedule when it runs, in readable form
/// @param lastRun when the last run began; empty when it has not run since the start
/// @param lastDuration how long the last run took
/// @param lastError why the last run failed
/// @param nextRun when it will run; empty when it waits for work or is paused
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
    boolean running,
    boolean paused,
    Map<String, String> metadata) {

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
        running,
        paused,
        Map.of());
  }

  /// How a run ended.
  public enum Outcome {
    /// It has not run yet.
    NONE,
    SUCCESS,
    FAILED,
    /// It was due while it is paused; it runs as soon as it is resumed.
    SKIPPED
  }
}
