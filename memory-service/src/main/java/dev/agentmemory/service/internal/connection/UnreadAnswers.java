package dev.agentmemory.service.internal.connection;

import com.google.protobuf.MessageLite;
import dev.agentmemory.service.connection.ConnectionLimits.Unread;
import dev.agentmemory.spi.DirectMemoryShortage;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Bounds the answers of unary calls that clients have not read yet, by connection and in all. A
/// call beyond it is refused before it is served, also if it has waited for a thread, or, if
/// answers of other calls were faster, instead of its answer. Calls with a stream of answers send
/// only as fast as their clients read.
///
/// A small answer is always sent: the queue of calls bounds how many there are.
public final class UnreadAnswers implements ServerInterceptor {

  private static final int SMALL = 64 << 10;

  /// After that time a connection is closed if it is not read from while answers of all connections
  /// take all the memory that they may take.
  private static final Duration SOON = Duration.ofSeconds(3);

  private final OpenConnections connections;
  private final DirectMemory memory;
  private final Unread limits;
  private final Set<String> alwaysSent;
  private final AtomicLong all = new AtomicLong();

  /// @param memory that answers take until they are read
  /// @param alwaysSent full names of methods that have stored something when they answer, and would
  ///   store it again when they are called again
  public UnreadAnswers(
      OpenConnections connections, DirectMemory memory, Unread limits, Set<String> alwaysSent) {
    this.connections = connections;
    this.memory = memory;
    this.limits = limits;
    this.alwaysSent = alwaysSent;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<AcceptedConnection> connection = AcceptedConnection.reading();
    if (connection.isEmpty() || !call.getMethodDescriptor().getType().serverSendsOneMessage()) {
      return next.startCall(call, headers);
    }
    AcceptedConnection reading = connection.get();
    reading.client.stopWhile(() -> hasItsPart(reading));
    if (hasItsPart(reading)) {
      throw tooMany();
    }
    var counted = new Counted<>(call, connection.get());
    return new SimpleForwardingServerCallListener<>(next.startCall(counted, headers)) {

      // The last byte was handed to the operating system.
      @Override
      public void onComplete() {
        counted.end();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        counted.end();
        super.onCancel();
      }
    };
  }

  /// Whether a connection has to read answers before it gets further ones. If there are too many of
  /// all connections together, those that have read theirs are served on.
  private boolean hasItsPart(AcceptedConnection connection) {
    long own = connection.unread.get();
    boolean full = all.get() >= limits.bytes();
    if (!full) {
      connection.client.fits();
    }
    return own >= limits.connectionBytes()
        || (full && (own > SMALL || connection.client.hasOverflown()));
  }

  private boolean isFull(AcceptedConnection connection) {
    return hasItsPart(connection) || all.get() >= limits.bytes();
  }

  private static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /// The refusal of a call whose client has answers to read.
  public static MemoryException tooMany() {
    return new MemoryException(
        ErrorCode.QUEUE_FULL,
        "too many answers are not read yet; read them, then make the call again");
  }

  private final class Counted<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final AcceptedConnection connection;
    private final Mutex lock = new Mutex();

    // Guarded by the lock.
    private long taken;
    private boolean ended;
    private Optional<Future<?>> timeout = Optional.empty();

    Counted(ServerCall<Q, A> call, AcceptedConnection connection) {
      super(call);
      this.connection = connection;
    }

    @Override
    public void sendMessage(A answer) {
      take(answer instanceof MessageLite message ? message.getSerializedSize() : 0);
      super.sendMessage(answer);
    }

    private void take(long bytes) {
      boolean optional =
          bytes > SMALL && !alwaysSent.contains(getMethodDescriptor().getFullMethodName());
      try (var _ = lock.hold()) {
        if (ended) {
          return;
        }
        if (optional && isFull(connection)) {
          connection.client.overflows();
          throw tooMany();
        }
        if (optional && (memory.isFull() || !connection.hasRoom(bytes))) {
          throw DirectMemoryShortage.refusal();
        }
        taken = bytes;
        connection.unread.addAndGet(bytes);
        all.addAndGet(bytes);
        if (bytes > SMALL) {
          Duration soon = earlier(SOON, limits.timeout());
          timeout = Optional.of(connection.after(soon, () -> look(limits.timeout().minus(soon))));
        }
      }
    }

    /// Others wait for the memory of an answer that has not been read for some time.
    private void look(Duration left) {
      if (all.get() >= limits.bytes() || !left.isPositive()) {
        cutOff();
        return;
      }
      try (var _ = lock.hold()) {
        if (!ended) {
          timeout = Optional.of(connection.after(left, this::cutOff));
        }
      }
    }

    private void cutOff() {
      if (connection.isActive()) {
        connections.close(connection, "unread");
      }
    }

    void end() {
      try (var _ = lock.hold()) {
        ended = true;
        connection.unread.addAndGet(-taken);
        all.addAndGet(-taken);
        taken = 0;
        timeout.ifPresent(waiting -> waiting.cancel(false));
      }
    }
  }
}
