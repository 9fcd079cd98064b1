package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
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

  /// Requests of this size are not counted: the number of calls bounds them.
  private static final int UNCOUNTED = 4 << 10;

  private static final Context.Key<Stream> KEY = Context.key("memory-request-bytes");

  private final ClientLimits limits;
  private final Set<String> large;
  private final AtomicLong all = new AtomicLong();
  private final LongAdder refused = new LongAdder();

  /// @param large full names of the methods whose requests may be as large as a message
  RequestBytes(ClientLimits limits, Set<String> large) {
    this.limits = limits;
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

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Stream(OpenConnections.client(), large.contains(method) ? LARGE : SMALL);
  }

  /// The request of one call. The transport signals on one thread at a time.
  final class Stream extends ServerStreamTracer {

    private final CallClient client;
    private final int most;
    private @Nullable ServerCall<?, ?> call;
    private boolean streams;
    private long message;
    private long counted;
    private volatile boolean refusing;

    Stream(CallClient client, int most) {
      this.client = client;
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
      }
    }

    @Override
    public void streamClosed(Status status) {
      release();
    }

    private void release() {
      client.requestBytes.addAndGet(-counted);
      all.addAndGet(-counted);
      counted = 0;
    }
  }
}
