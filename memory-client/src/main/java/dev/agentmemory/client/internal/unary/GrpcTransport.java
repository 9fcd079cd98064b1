package dev.agentmemory.client.internal.unary;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Calls over gRPC, any number at a time.
public record GrpcTransport(Channel channel) implements UnaryTransport {

  @Override
  public <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    return ClientCalls.blockingUnaryCall(channel, method, options(deadline), request);
  }

  @Override
  public <Q, A> CompletableFuture<A> start(
      MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    var answer = new Answer<A>();
    ClientCalls.asyncUnaryCall(channel.newCall(method, options(deadline)), request, answer);
    return answer.future;
  }

  @Override
  public boolean healthy(Duration deadline) {
    return call(HealthGrpc.getCheckMethod(), HealthCheckRequest.getDefaultInstance(), deadline)
            .getStatus()
        == HealthCheckResponse.ServingStatus.SERVING;
  }

  private static CallOptions options(Duration deadline) {
    return CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static final class Answer<A> implements StreamObserver<A> {

    private final CompletableFuture<A> future = new CompletableFuture<>();
    private @Nullable A value;

    @Override
    public void onNext(A answer) {
      value = answer;
    }

    @Override
    public void onError(Throwable failure) {
      future.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      A answer = value;
      if (answer == null) {
        onError(new StatusRuntimeException(Status.INTERNAL));
      } else {
        future.complete(answer);
      }
    }
  }
}
