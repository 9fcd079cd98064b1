package dev.agentmemory.client.internal.unary;

import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// Makes unary calls. They fail with a `MemoryException` where the transport knows the daemon's own
/// error, and else with a `StatusRuntimeException`.
public interface UnaryTransport {

  /// Waits for the answer.
  <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Duration deadline);

  /// Makes a call without waiting, if the transport can.
  <Q, A> CompletableFuture<A> start(MethodDescriptor<Q, A> method, Q request, Duration deadline);

  /// Whether the daemon reports that it serves.
  boolean healthy(Duration deadline);
}
