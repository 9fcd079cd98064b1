package dev.agentmemory.client;

import dev.agentmemory.types.MemoryException;
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

  <Q, A> A wait(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    try {
      return ClientCalls.blockingUnaryCall(channel, method, options(deadline), request);
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
