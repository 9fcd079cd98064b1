package dev.agentmemory.client;

import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.DamageMessages;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Unary calls with a deadline. They fail with the program's own exception.
final class Calls {

  private final Channel channel;
  private final CallFailures failures;
  private final Deadlines deadlines;

  Calls(Channel channel, CallFailures failures, Deadlines deadlines) {
    this.channel = channel;
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
      A answer = ClientCalls.blockingUnaryCall(channel, method, options(deadline), request);
      DamageMessages.of(answer).forEach(PassedOver::add);
      return answer;
    } catch (StatusRuntimeException e) {
      throw failures.of(e);
    }
  }

  /// Makes an ordinary call without waiting.
  <Q, A> CompletableFuture<A> start(MethodDescriptor<Q, A> method, Q request) {
    var answer = new Answer<A>(failures);
    CallOptions options = options(deadlines.call());
    ClientCalls.asyncUnaryCall(channel.newCall(method, options), request, answer);
    return answer.future;
  }

  private static CallOptions options(Duration deadline) {
    return CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static final class Answer<A> implements StreamObserver<A> {

    private final CallFailures failures;
    private final CompletableFuture<A> future = new CompletableFuture<>();
    private @Nullable A value;

    Answer(CallFailures failures) {
      this.failures = failures;
    }

    @Override
    public void onNext(A answer) {
      value = answer;
    }

    @Override
    public void onError(Throwable failure) {
      MemoryException own = failures.of(failure);
      future.completeExceptionally(own);
    }

    @Override
    public void onCompleted() {
      A answer = value;
      if (answer == null) {
        onError(new StatusRuntimeException(io.grpc.Status.INTERNAL));
      } else {
        future.complete(answer);
      }
    }
  }
}
