package dev.agentmemory.service;

import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.locks.Condition;

/// Sends the responses of a call only as fast as its client reads them. What a client does not read
/// would otherwise stay in memory without a limit.
final class PacedAnswers<T> {

  private final ServerCallStreamObserver<T> call;
  private final Duration timeout;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();

  /// Create it inside the handler itself.
  ///
  /// @param timeout a call whose client reads nothing for that long is ended
  PacedAnswers(ServerCallStreamObserver<T> call, Duration timeout) {
    this.call = call;
    this.timeout = timeout;
    call.setOnReadyHandler(this::wake);
  }

  /// Lets a cancel end the wait. Call this inside the handler, after the work was given to a pool.
  void watchCancel() {
    call.setOnCancelHandler(this::wake);
  }

  private void wake() {
    try (var _ = lock.hold()) {
      changed.signalAll();
    }
  }

  /// Waits until the client can read a response, then sends it.
  ///
  /// @throws MemoryException `CLOSED` when the client has cancelled the call or this thread is
  ///   interrupted; `QUEUE_FULL` when the client has read nothing for too long
  void send(T answer) {
    awaitReader();
    if (call.isCancelled()) {
      throw new MemoryException(ErrorCode.CLOSED, "the caller cancelled the call");
    }
    call.onNext(answer);
  }

  private void awaitReader() {
    try (var _ = lock.hold()) {
      long left = timeout.toNanos();
      while (!call.isReady() && !call.isCancelled()) {
        if (left <= 0) {
          throw new MemoryException(
              ErrorCode.QUEUE_FULL,
              "no response was read for %s s; read faster, and make the call again"
                  .formatted(timeout.toSeconds()));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MemoryException(ErrorCode.CLOSED, "the daemon is stopping", e);
    }
  }
}
