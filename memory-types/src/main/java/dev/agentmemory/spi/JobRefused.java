package dev.agentmemory.spi;

/// Thrown by a job's body that must not be retried before an operator has acted: the run has
/// failed, and the job stays paused, also over restarts, until it is resumed. It never leaves the
/// scheduler.
public final class JobRefused extends RuntimeException {

  /// @param message what is wrong and what to do about it, fit to be shown to operators
  public JobRefused(String message) {
    super(message);
  }
}
