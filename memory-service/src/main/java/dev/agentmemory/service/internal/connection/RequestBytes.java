package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts the bytes of requests while they arrive. A request that is larger than its method allows
/// is refused as soon as that is known, and so is a call whose request has no room beside those of
/// others. Otherwise thousands of large requests could be in memory, each of them incomplete.
///
/// The bytes of a unary call count until the call has ended, those of a stream until the message is
/// complete. What the handler of a stream keeps of it is counted by that handler.
final class RequestBytes extends ServerStreamTracer.Factory {

  /// Of calls that carry events, memories or lines of an export.
  static final int LARGE = Integer.MAX_VALUE;

  /// Of all other calls. Their texts have at most 4,096 characters.
  static final int SMALL = 1 << 20;

  /// How long nothing is read from a connection after a request that is too large. A client that
  /// sends one after the other would otherwise keep the transport busy.
  static final Duration REST = Duration.ofMillis(500);

  /// Requests of this size are not counted: the number of calls bounds them.
  private static final int UNCOUNTED = 4 << 10;

  private static final Context.Key<Stream> KEY = Context.key("memory-request-bytes");

  /// Requests that a client may have while direct memory is short.
  private static final int LITTLE = 1 << 20;

  private final ClientLimits limits;
  private final DirectMemory memory;
  private final Set<String> large;
  private final AtomicLong all = new AtomicLong();
  private final LongAdder refused = new LongAdder();
  private final LongAdder refusedForMemory = new LongAdder();

  /// @param large full names of the methods whose requests may be as large as a message
  RequestBytes(ClientLimits limits, DirectMemory memory, Set<String> large) {
    this.limits = limits;
    this.memory = memory;
    this.large = large;
  }

  /// The request of the call that begins on this thread.
  static @Nullable Stream current() {
    return KEY.get();
  }

  /// Calls that were refused for want of room.
  long refused() {
    return refused.sum();
  }

  /// Calls that were refused because direct memory is short.
  long refusedForMemory() {
    return refusedForMemory.sum();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    var stream =
        new Stream(
            OpenConnections.client(),
            AcceptedConnection.reading(),
            large.contains(method) ? LARGE : SMALL);
    stream.connection.ifPresent(connection -> connection.requests.add(stream));
    return stream;
  }

  /// The request of one call. The transport signals on one thread at a time.
  final class Stream extends ServerStreamTracer {

    private final CallClient client;
    private final Optional<AcceptedConnection> connection;
    private final int most;
    private @Nullable ServerCall<?, ?> call;
    private boolean streams;
    private long message;
    private long counted;
    private boolean complete;
    private volatile boolean refusing;

    Stream(CallClient client, Optional<AcceptedConnection> connection, int most) {
      this.client = client;
      this.connection = connection;
      this.most = most;
    }

    /// @param begun the call that is to be refused, if it has to be
    void of(ServerCall<?, ?> begun) {
      call = begun;
      streams = !begun.getMethodDescriptor().getType().clientSendsOneMessage();
    }

    /// Whether the call has been refused. What arrives of it is of no use any more.
    boolean isRefused() {
      return refusing;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(KEY, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
      message += bytes;
      if (message <= UNCOUNTED || refusing) {
        return;
      }
      long added = message - counted;
      counted = message;
      long own = client.requestBytes.addAndGet(added);
      long together = all.addAndGet(added);
      if (message > most) {
        connection.ifPresent(open -> open.rest(REST));
        refuse(
            MemoryException.invalid(
                "request", "is larger than " + most + " bytes; shorten its texts"));
      } else if (own > limits.requestBytes() || together > limits.allRequestBytes()) {
        refused.increment();
        refuse(
            new MemoryException(
                ErrorCode.QUEUE_FULL,
                "the requests that are not answered yet leave no room for this one; try again"
                    + " later, with fewer calls at a time"));
      } else if (memory.isFull() || (memory.isShort() && own > LITTLE)) {
        refuseForMemory();
      }
    }

    /// Refuses the call if its request keeps much direct memory, or may. A request that is complete
    /// is not refused: the call may have stored something.
    void refuseForMemory() {
      if (call != null && !refusing && !complete && (streams || counted > 0)) {
        refusedForMemory.increment();
        refuse(DirectMemoryShortage.refusal());
      }
    }

    private void refuse(MemoryException why) {
      refusing = true;
      release();
      if (call != null) {
        call.close(Status.UNKNOWN.withCause(why), new Metadata());
      }
    }

    @Override
    public void inboundMessageRead(int number, long wireBytes, long bytes) {
      if (streams) {
        release();
        message = 0;
      } else {
        complete = true;
      }
    }

    @Override
    public void streamClosed(Status status) {
      connection.ifPresent(open -> open.requests.remove(this));
      release();
    }

    private void release() {
      client.requestBytes.addAndGet(-counted);
      all.addAndGet(-counted);
      counted = 0;
    }
  }
}
