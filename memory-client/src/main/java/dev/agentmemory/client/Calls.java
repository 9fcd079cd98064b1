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

/// Unary calls with a deadline, failing with the program's own exception.
final class Calls {

  private final Channel channel;
  private final Failures failures;

  Calls(Channel channel, Failures failures) {
    this.channel = channel;
    this.failures = failures;
  }

  /// Waits for the answer. Rows that it lacks because they cannot be read are told to the
  /// [PassedOver] of the thread.
  <Q, A> A wait(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    try {
      A answer = ClientCalls.blockingUnaryCall(channel, method, options(deadline), request);
      DamageMessages.of(answer).forEach(PassedOver::add);
      return answer;
    } catch (StatusRuntimeException e) {
      throw failures.of(e);
    }
  }

  <Q, A> CompletableFuture<A> start(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    var answer = new Answer<A>(failures);
    ClientCalls.asyncUnaryCall(channel.newCall(method, options(deadline)), request, answer);
    return answer.future;
  }

  private static CallOptions options(Duration deadline) {
    return CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static final class Answer<A> implements StreamObserver<A> {

    private final Failures failures;
    private final CompletableFuture<A> future = new CompletableFuture<>();
    private @Nullable A value;

    Answer(Failures failures) {
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
