package dev.agentmemory.client;

import dev.agentmemory.client.internal.unary.UnaryTransport;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.DamageMessages;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Unary calls with a deadline. They fail with the program's own exception. A call that the daemon
/// refuses because it is busy is made again, after the delay that the daemon asks for and then
/// after twice the delay before.
final class Calls {

  /// What the daemon asks for.
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);

  /// In about three seconds.
  private static final int ATTEMPTS = 6;

  private final UnaryTransport transport;
  private final CallFailures failures;
  private final Deadlines deadlines;

  Calls(UnaryTransport transport, CallFailures failures, Deadlines deadlines) {
    this.transport = transport;
    this.failures = failures;
    this.deadlines = deadlines;
  }

  /// Makes an ordinary call and waits for the answer.
  <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return wait(method, request, deadlines.call());
  }

  /// Makes a call that may take long and waits for the answer.
  <Q, A> A work(MethodDescriptor<Q, A> method, Q request) {
    return wait(method, request, deadlines.work());
  }

  /// Waits for the answer. Unreadable rows that it lacks are added to the [PassedOver] of the
  /// thread.
  private <Q, A> A wait(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    Duration delay = FIRST_DELAY;
    for (int attempt = 1; ; attempt++) {
      try {
        A answer = transport.call(method, request, deadline);
        DamageMessages.of(answer).forEach(PassedOver::add);
        return answer;
      } catch (StatusRuntimeException | MemoryException e) {
        MemoryException failure = failures.of(e);
        if (!isWorthAnother(failure, attempt)) {
          throw failure;
        }
        after(delay).join();
        delay = delay.multipliedBy(2);
      }
    }
  }

  /// A daemon that is busy has done nothing of the call.
  private static boolean isWorthAnother(MemoryException failure, int attempt) {
    return failure.code() == ErrorCode.QUEUE_FULL && attempt < ATTEMPTS;
  }

  private static CompletableFuture<?> after(Duration delay) {
    return CompletableFuture.runAsync(
        () -> {},
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
  }

  /// Makes an ordinary call without waiting.
  <Q, A> CompletableFuture<A> start(MethodDescriptor<Q, A> method, Q request) {
    return start(method, request, FIRST_DELAY, 1);
  }

  private <Q, A> CompletableFuture<A> start(
      MethodDescriptor<Q, A> method, Q request, Duration delay, int attempt) {
    return transport
        .start(method, request, deadlines.call())
        .exceptionallyCompose(cause -> {
          MemoryException failure = failures.of(cause);
          return isWorthAnother(failure, attempt)
              ? after(delay)
                  .thenCompose(_ -> start(method, request, delay.multipliedBy(2), attempt + 1))
              : CompletableFuture.failedFuture(failure);
        });
  }

  /// Whether the daemon reports that it serves.
  ///
  /// @throws MemoryException `UNREACHABLE` when none answers
  boolean healthy() {
    try {
      return transport.healthy(deadlines.call());
    } catch (StatusRuntimeException e) {
      throw failures.of(e);
    }
  }
}
