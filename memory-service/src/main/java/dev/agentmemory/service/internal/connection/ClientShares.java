package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.health.v1.HealthGrpc;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/// Tells the handlers of a call its client, and bounds the streams of each client.
public final class ClientShares implements ServerInterceptor {

  private final ClientLimits limits;
  private final RequestBytes requests;
  private final Set<String> always;
  private final LongAdder refusedStreams = new LongAdder();
  private final LongAdder refusedForMemory = new LongAdder();
  private volatile BooleanSupplier memoryShort = () -> false;

  /// @param memory of requests while they arrive
  /// @param large full names of the methods whose requests may be as large as a message
  /// @param always those that are also served while memory is short, because they take little
  public ClientShares(
      ClientLimits limits, DirectMemory memory, Set<String> large, Set<String> always) {
    this.always = always;
    this.limits = limits;
    this.requests = new RequestBytes(limits, memory, large);
  }

  /// Counts the bytes of requests of a server.
  public ServerStreamTracer.Factory requests() {
    return requests;
  }

  /// @param condition while it holds, calls are refused
  public void refuseWhile(BooleanSupplier condition) {
    memoryShort = condition;
  }

  /// Calls that were refused because their client has too much in progress, `streams` and
  /// `requests`, or because the daemon is near its ceiling or direct memory is short, `memory`. A
  /// reason that has not occurred is left out.
  public Map<String, Long> refused() {
    Map<String, Long> found = new TreeMap<>();
    found.put("streams", refusedStreams.sum());
    found.put("requests", requests.refused());
    found.put("memory", refusedForMemory.sum() + requests.refusedForMemory());
    found.values().removeIf(count -> count == 0);
    return found;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (memoryShort.getAsBoolean() && !isServedAlways(call)) {
      refusedForMemory.increment();
      throw new MemoryException(
          ErrorCode.QUEUE_FULL, "the daemon is near its memory.ceiling; try again later");
    }
    CallClient client = OpenConnections.client();
    RequestBytes.Stream request = RequestBytes.current();
    boolean stream = call.getMethodDescriptor().getType() != MethodType.UNARY;
    if (stream && client.streams.incrementAndGet() > limits.streams()) {
      client.streams.decrementAndGet();
      refusedStreams.increment();
      throw new MemoryException(
          ErrorCode.QUEUE_FULL,
          "this client has %d streams in progress (limits.client_streams); end some of them first"
              .formatted(limits.streams()));
    }
    if (request != null) {
      // Before the handler: what has come with the head may be too much.
      request.of(call);
    }
    ServerCall.Listener<Q> listener;
    try {
      listener = Contexts.interceptCall(client.in(Context.current()), call, headers, next);
    } catch (RuntimeException | Error e) {
      if (stream) {
        client.streams.decrementAndGet();
      }
      throw e;
    }
    return new SimpleForwardingServerCallListener<>(listener) {

      @Override
      public void onMessage(Q message) {
        if (!isRefused()) {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!isRefused()) {
          super.onHalfClose();
        }
      }

      private boolean isRefused() {
        return request != null && request.isRefused();
      }

      @Override
      public void onComplete() {
        end();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        end();
        super.onCancel();
      }

      private void end() {
        if (stream) {
          client.streams.decrementAndGet();
        }
      }
    };
  }

  private boolean isServedAlways(ServerCall<?, ?> call) {
    return HealthGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())
        || always.contains(call.getMethodDescriptor().getFullMethodName());
  }
}
