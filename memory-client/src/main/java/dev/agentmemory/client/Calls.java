package dev.agentmemory.client;

import dev.agentmemory.client.internal.unary.UnaryTransport;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.DamageMessages;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// Unary calls with a deadline. They fail with the program's own exception.
final class Calls {

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
    try {
      A answer = transport.call(method, request, deadline);
      DamageMessages.of(answer).forEach(PassedOver::add);
      return answer;
    } catch (StatusRuntimeException e) {
      throw failures.of(e);
    }
  }

  /// Makes an ordinary call without waiting.
  <Q, A> CompletableFuture<A> start(MethodDescriptor<Q, A> method, Q request) {
    return transport
        .start(method, request, deadlines.call())
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failures.of(failure)));
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
