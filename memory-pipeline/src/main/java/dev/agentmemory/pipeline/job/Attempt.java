package dev.agentmemory.pipeline.job;

import dev.agentmemory.types.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// One run of a job, from its planning until its body has returned. All methods are called under
/// the scheduler's lock.
final class Attempt {

  final Instant begun;

  /// The result; complete when the run has ended or has exceeded its time limit.
  final CompletableFuture<Result> result = new CompletableFuture<>();

  private @Nullable Thread thread;
  private long from;
  private boolean overdue;
  private boolean requested;

  Attempt(Instant begun) {
    this.begun = begun;
  }

  /// The body starts on the current thread.
  void enter(long nanos) {
    thread = Thread.currentThread();
    from = nanos;
  }

  /// The body has returned. From now on no interrupt for it can reach other work on the thread.
  void leave() {
    thread = null;
    var _ = Thread.interrupted();
  }

  /// A caller requests this run and waits for it.
  void request() {
    requested = true;
  }

  boolean isRequested() {
    return requested;
  }

  boolean isInside() {
    return thread != null;
  }

  Duration lasts(long nanos) {
    return Duration.ofNanos(nanos - from);
  }

  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /// Records that it has exceeded its time limit.
  void expire() {
    overdue = true;
    interrupt();
  }

  /// Whether it has exceeded its time limit, so that its result is ignored.
  boolean isOverdue() {
    return overdue;
  }

  /// The result of a run.
  ///
  /// @param failure for callers that wait for the run
  /// @param refused whether the job must not run again before a user resumes it
  record Result(Optional<Failure> failure, boolean refused, Map<String, String> did) {

    /// Why a run failed.
    record Failure(ErrorCode code, String reason) {}

    static Result succeeded(Map<String, String> did) {
      return new Result(Optional.empty(), false, did);
    }

    static Result failed(ErrorCode code, String reason) {
      return new Result(Optional.of(new Failure(code, reason)), false, Map.of());
    }

    static Result refused(String reason) {
      return new Result(Optional.of(new Failure(ErrorCode.CONFLICT, reason)), true, Map.of());
    }

    Optional<String> error() {
      return failure.map(Failure::reason);
    }
  }
}
