package dev.agentmemory.service.internal.connection;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.spi.DirectMemoryShortage;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// One connection of the server. As the first handler of its channel it begins to wait for the
/// first call, and tells which connection a thread reads from: a call does not tell its connection,
/// and clients of a Unix socket have no address.
///
/// What is read waits while there is no direct memory to process it.
final class AcceptedConnection extends ChannelInboundHandlerAdapter {

  /// What a connection comes over.
  enum Kind {
    UNIX,
    PLAIN_TCP,
    TLS
  }

  /// Why it is closed when there is no direct memory for it.
  private static final String EXHAUSTED = "exhausted";

  /// A read of that size belongs to large requests, or to many.
  private static final int LARGE_READ = 16 << 10;

  private static final Duration RETRY = Duration.ofMillis(10);

  /// After that many it is closed, in two seconds.
  private static final int MOST_ATTEMPTS = 200;

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

  /// Requests of the calls in progress.
  final Set<RequestBytes.Stream> requests = ConcurrentHashMap.newKeySet();

  private volatile boolean closing;

  private final Optional<AcceptedConnection> itself = Optional.of(this);
  private final Channel channel;
  private final Duration firstCall;
  private final OpenConnections connections;
  private final DirectMemory memory;
  private final ReadPace bytes;
  private final ReadPace calls;

  // The fields below are used by the thread of the connection.

  /// Calls that began during a read.
  private int begun;

  /// What was read and waits for direct memory.
  private final Deque<Object> waiting = new ArrayDeque<>();

  /// How often there was none.
  private int attempts;

  /// Pauses that have not ended.
  private int pauses;

  /// @param connections decide after `firstCall` whether to close it
  AcceptedConnection(
      Channel channel,
      Kind kind,
      DirectMemory memory,
      ReadPace bytes,
      ReadPace calls,
      Duration firstCall,
      OpenConnections connections) {
    this.memory = memory;
    this.bytes = bytes;
    this.calls = calls;
    this.channel = channel;
    this.kind = kind;
    this.firstCall = firstCall;
    this.connections = connections;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (closing) {
      closeNow();
      return;
    }
    memory.keepPart(context.alloc(), context.executor());
    var _ = after(firstCall, () -> connections.expire(this));
    context.fireChannelActive();
  }

  /// Does something on the thread of the connection.
  Future<?> after(Duration delay, Runnable work) {
    return channel.eventLoop().schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!waiting.isEmpty()) {
      waiting.add(message);
    } else if (memory.hasRoom(context.alloc())) {
      process(context, message);
    } else {
      waiting.add(message);
      refuseCalls();
      tryLater(context);
    }
  }

  /// An allocation that fails in the transport would end all calls as an error of the daemon.
  private void tryLater(ChannelHandlerContext context) {
    channel.config().setAutoRead(false);
    var _ = after(RETRY, () -> tryAgain(context));
  }

  private void tryAgain(ChannelHandlerContext context) {
    while (!waiting.isEmpty()) {
      if (!memory.hasRoom(context.alloc())) {
        attempts++;
        if (attempts < MOST_ATTEMPTS) {
          tryLater(context);
        } else {
          connections.close(this, EXHAUSTED);
        }
        return;
      }
      process(context, waiting.remove());
    }
    attempts = 0;
    readFurther();
  }

  private void readFurther() {
    if (waiting.isEmpty() && pauses == 0) {
      channel.config().setAutoRead(true);
    }
  }

  private void refuseCalls() {
    requests.forEach(RequestBytes.Stream::refuseForMemory);
  }

  /// Whether an answer can be sent from this thread.
  boolean hasRoom(long bytes) {
    return memory.hasRoom(channel.alloc(), bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    context.fireChannelInactive();
  }

  /// Netty closes a connection when it has no direct memory to read from it.
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (DirectMemoryShortage.of(cause).isPresent()) {
      refuseCalls();
      connections.close(this, EXHAUSTED);
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  private void process(ChannelHandlerContext context, Object message) {
    int size = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
    memory.received(size, context.alloc());
    READING.set(itself);
    try {
      context.fireChannelRead(message);
    } finally {
      READING.set(Optional.empty());
    }
    if (size >= LARGE_READ && memory.isFull()) {
      // Also streams that wait to be read further: what has arrived of them is in memory.
      refuseCalls();
    }
    Duration pause = longer(bytes.take(size), begun == 0 ? Duration.ZERO : calls.take(begun));
    begun = 0;
    if (pause.isPositive()) {
      pause(pause);
    }
  }

  /// Reads no further for a while. Any thread may call this.
  void rest(Duration time) {
    channel.eventLoop().execute(() -> pause(time));
  }

  private void pause(Duration time) {
    // What comes meanwhile waits in the buffers of the system, and then with the client.
    channel.config().setAutoRead(false);
    pauses++;
    var _ = after(time, this::endPause);
  }

  private void endPause() {
    pauses--;
    readFurther();
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
