package dev.agentmemory.service.internal.connection;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.service.internal.share.CallClient;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// One connection of the server. As the first handler of its channel it begins to wait for the
/// first call, and tells which connection a thread reads from: a call does not tell its connection,
/// and clients of a Unix socket have no address.
final class AcceptedConnection extends ChannelInboundHandlerAdapter {

  /// What a connection comes over.
  enum Kind {
    UNIX,
    PLAIN_TCP,
    TLS
  }

  private static final ThreadLocal<Optional<AcceptedConnection>> READING =
      ThreadLocal.withInitial(Optional::empty);

  final Kind kind;

  /// Whether a call was served.
  volatile boolean used;

  /// Whether a call that needs the token was served, or the client has proved that it has one.
  volatile boolean authenticated;

  /// The token that the client has proved to have, if the connection began with that.
  volatile Optional<TokenHash> proven = Optional.empty();

  /// Whether it does not count any more. Guarded by the lock of [OpenConnections].
  boolean left;

  /// Whose calls come over it.
  final CallClient client = new CallClient();

  /// Bytes of answers that are not read.
  final AtomicLong unread = new AtomicLong();

  private volatile boolean closing;

  private final Optional<AcceptedConnection> itself = Optional.of(this);
  private final Channel channel;
  private final Duration firstCall;
  private final Consumer<AcceptedConnection> expire;
  private final ReadPace bytes;
  private final ReadPace calls;

  /// Calls that began during a read. Used by the thread of the connection.
  private int begun;

  /// @param expire is called after `firstCall`
  AcceptedConnection(
      Channel channel,
      Kind kind,
      ReadPace bytes,
      ReadPace calls,
      Duration firstCall,
      Consumer<AcceptedConnection> expire) {
    this.bytes = bytes;
    this.calls = calls;
    this.channel = channel;
    this.kind = kind;
    this.firstCall = firstCall;
    this.expire = expire;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (closing) {
      closeNow();
      return;
    }
    var _ = after(firstCall, () -> expire.accept(this));
    context.fireChannelActive();
  }

  /// Does something on the thread of the connection.
  Future<?> after(Duration delay, Runnable work) {
    return channel.eventLoop().schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    int size = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
    READING.set(itself);
    try {
      context.fireChannelRead(message);
    } finally {
      READING.set(Optional.empty());
    }
    Duration pause = longer(bytes.take(size), begun == 0 ? Duration.ZERO : calls.take(begun));
    begun = 0;
    if (pause.isPositive()) {
      // The rest waits in the buffers of the system, and then with the client.
      channel.config().setAutoRead(false);
      var _ = after(pause, () -> channel.config().setAutoRead(true));
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /// A call begins, on the thread of the connection.
  void begins() {
    begun++;
  }

  /// The connection from which this thread reads, as it does while a call begins; empty for calls
  /// that do not come over the network.
  static Optional<AcceptedConnection> reading() {
    return READING.get();
  }

  /// Whether it is open and is not to be closed.
  boolean isActive() {
    return !closing && channel.isActive();
  }

  /// Closes it without a farewell, for which gRPC would wait until all answers are read. One that
  /// no thread serves yet is closed when one begins to.
  void close() {
    closing = true;
    if (channel.isRegistered()) {
      channel.eventLoop().execute(this::closeNow);
    }
  }

  private void closeNow() {
    channel.unsafe().close(channel.unsafe().voidPromise());
  }
}
