package dev.agentmemory.pipeline.job;

import dev.agentmemory.types.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// One run of a job, from the moment that it is planned until its body has come back. All methods
/// are called under the scheduler's lock.
final class Attempt {

  final Instant begun;

  /// What came of it; complete once it is over, or has taken too long.
  final CompletableFuture<Result> result = new CompletableFuture<>();

  private @Nullable Thread thread;
  private long from;
  private boolean overdue;
  private boolean requested;

  Attempt(Instant begun) {
    this.begun = begun;
  }

  /// A body has begun on the current thread.
  void enter(long nanos) {
    thread = Thread.currentThread();
    from = nanos;
  }

  /// The body has come back. From now on no interrupt meant for it can hit what follows.
  void leave() {
    thread = null;
    var _ = Thread.interrupted();
  }

  /// Somebody asks for this run and waits for it.
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

  /// Notes that it has taken too long.
  void expire() {
    overdue = true;
    interrupt();
  }

  /// Whether it has taken too long: what it still does no longer counts.
  boolean isOverdue() {
    return overdue;
  }

  /// How a run went.
  ///
  /// @param failure whoever waits for the run gets it
  /// @param refused whether the job must not run again before somebody has resumed it
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
