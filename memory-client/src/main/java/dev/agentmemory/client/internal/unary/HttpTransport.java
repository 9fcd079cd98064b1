package dev.agentmemory.client.internal.unary;

import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.client.http.HttpExchange;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Calls over HTTP/1.1, on the caller's thread, with messages in the binary format of protobuf. It
/// starts in a few milliseconds, because it needs no threads and few classes. It is meant for a
/// command line that makes a few calls and ends.
///
/// @param headers of every call: token and workspace
/// @param alive how long a sign of life may take
/// @param otherwise makes the calls when nothing listens at the address: the socket of a daemon in
///   a virtual machine is a file that nobody can connect to
public record HttpTransport(
    SocketAddress address,
    Map<String, String> headers,
    Duration alive,
    Supplier<UnaryTransport> otherwise)
    implements UnaryTransport {

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  public HttpTransport {
    headers = Map.copyOf(headers);
  }

  @Override
  public <Q, A> A call(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    Map<String, String> sent = new HashMap<>(headers);
    sent.put("content-type", "application/x-protobuf");
    sent.put("memory-timeout-ms", Long.toString(Math.max(1, deadline.toMillis())));
    try (InputStream message = method.streamRequest(request)) {
      HttpAnswer answer =
          exchange(deadline)
              .post("/rpc/" + method.getFullMethodName(), sent, message.readAllBytes());
      if (answer.status() != OK) {
        throw HttpErrors.of(answer);
      }
      return method.parseResponse(new ByteArrayInputStream(answer.body()));
    } catch (ConnectException e) {
      return otherwise.get().call(method, request, deadline);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public <Q, A> CompletableFuture<A> start(
      MethodDescriptor<Q, A> method, Q request, Duration deadline) {
    try {
      return CompletableFuture.completedFuture(call(method, request, deadline));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public boolean healthy(Duration deadline) {
    try {
      HttpAnswer answer = exchange(deadline).get("/health");
      if (answer.status() != OK && answer.status() != UNAVAILABLE) {
        throw new ProtocolException("no answer to a health check");
      }
      return answer.status() == OK;
    } catch (ConnectException e) {
      return otherwise.get().healthy(deadline);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private HttpExchange exchange(Duration deadline) {
    return new HttpExchange(address, new Waiting(alive, deadline));
  }

  private static StatusRuntimeException failure(IOException cause) {
    Status status =
        cause instanceof SocketTimeoutException ? Status.DEADLINE_EXCEEDED : Status.UNAVAILABLE;
    return status.withDescription(cause.getMessage()).withCause(cause).asRuntimeException();
  }
}
