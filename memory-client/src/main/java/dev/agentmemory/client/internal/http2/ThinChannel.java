package dev.agentmemory.client.internal.http2;

import dev.agentmemory.spi.Mutex;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Makes unary calls over a plain socket, one at a time, on the caller's thread. It starts in a few
/// milliseconds, because it needs no threads, no buffers of its own and few classes. It is meant
/// for a command line that makes a few calls and ends. Concurrent calls and streams use the gRPC
/// library's channel.
public final class ThinChannel extends Channel {

  private static final Deadline.Ticker TICKER = Deadline.getSystemTicker();
  private static final int PREFIX = 5;

  private final InetSocketAddress address;
  private final int mostBytes;
  private final Http2Link.Liveness liveness;
  private final Mutex turn = new Mutex();
  private Optional<Http2Link> link = Optional.empty();

  public ThinChannel(InetSocketAddress address, int mostBytes, Http2Link.Liveness liveness) {
    this.address = address;
    this.mostBytes = mostBytes;
    this.liveness = liveness;
  }

  @Override
  public String authority() {
    return address.getHostString() + ":" + address.getPort();
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    if (method.getType() != MethodType.UNARY) {
      throw new IllegalArgumentException(
          "streaming calls are not supported by this channel: " + method);
    }
    Deadline given = options.getDeadline();
    return new Call<>(method, given == null ? Deadline.after(1, TimeUnit.HOURS, TICKER) : given);
  }

  /// Closes the connection. A later call opens a new one.
  public void close() {
    try (var _ = turn.hold()) {
      drop();
    }
  }

  private Http2Link.Reply exchange(List<HeaderField> fields, byte[] body, Deadline deadline)
      throws IOException {
    try (var _ = turn.hold()) {
      return exchangeHolding(fields, body, deadline);
    }
  }

  private Http2Link.Reply exchangeHolding(List<HeaderField> fields, byte[] body, Deadline deadline)
      throws IOException {
    try {
      Http2Link open = link(deadline);
      Http2Link.Reply reply = open.exchange(fields, body, deadline);
      if (!open.usable()) {
        drop();
      }
      return reply;
    } catch (IOException | RuntimeException e) {
      drop();
      throw e;
    }
  }

  private Http2Link link(Deadline deadline) throws IOException {
    if (link.isEmpty()) {
      link = Optional.of(Http2Link.open(address, deadline, mostBytes, liveness));
    }
    return link.get();
  }

  private void drop() {
    try {
      if (link.isPresent()) {
        link.get().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a connection", e);
    } finally {
      link = Optional.empty();
    }
  }

  private static byte[] message(InputStream content) throws IOException {
    try (content) {
      byte[] bytes = content.readAllBytes();
      return ByteBuffer.allocate(PREFIX + bytes.length)
          .put((byte) 0)
          .putInt(bytes.length)
          .put(bytes)
          .array();
    }
  }

  /// One call. The whole exchange is made when the request is complete.
  private final class Call<Q, A> extends ClientCall<Q, A> {

    private final MethodDescriptor<Q, A> method;
    private final Deadline deadline;
    private @Nullable Listener<A> listener;
    private Metadata headers = new Metadata();
    private byte[] request = new byte[0];
    private boolean closed;

    Call(MethodDescriptor<Q, A> method, Deadline deadline) {
      this.method = method;
      this.deadline = deadline;
    }

    @Override
    public void start(Listener<A> responses, Metadata sent) {
      listener = responses;
      headers = sent;
    }

    @Override
    public void request(int messages) {
      // The only answer is requested together with the call.
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      close(Status.CANCELLED.withDescription(message).withCause(cause), new Metadata());
    }

    @Override
    public void sendMessage(Q message) {
      try {
        request = message(method.streamRequest(message));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void halfClose() {
      try {
        List<HeaderField> fields =
            new ArrayList<>(GrpcHeaders.opening(authority(), method, deadline));
        fields.addAll(GrpcHeaders.of(headers));
        answered(exchange(fields, request, deadline));
      } catch (SocketTimeoutException e) {
        close(
            Status.DEADLINE_EXCEEDED.withDescription("no answer in time").withCause(e),
            new Metadata());
      } catch (IllegalArgumentException e) {
        close(
            Status.INTERNAL.withDescription("malformed gRPC response").withCause(e),
            new Metadata());
      } catch (IOException e) {
        close(
            Status.UNAVAILABLE.withDescription("io exception: " + e.getMessage()).withCause(e),
            new Metadata());
      }
    }

    private void answered(Http2Link.Reply reply) throws IOException {
      Status status = GrpcHeaders.status(reply);
      Listener<A> waiting = listener;
      if (status.isOk() && waiting != null) {
        waiting.onMessage(method.parseResponse(new ByteArrayInputStream(content(reply.body()))));
      }
      close(status, GrpcHeaders.metadata(reply.fields()));
    }

    private static byte[] content(ByteBuffer in) throws IOException {
      if (in.remaining() < PREFIX || in.get() != 0 || in.getInt() != in.remaining()) {
        throw new IOException("expected exactly one gRPC message in the response");
      }
      var content = new byte[in.remaining()];
      in.get(content);
      return content;
    }

    private void close(Status status, Metadata trailers) {
      Listener<A> waiting = listener;
      if (!closed && waiting != null) {
        closed = true;
        waiting.onClose(status, trailers);
      }
    }
  }
}
