package dev.agentmemory.service.internal.connection;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.internal.connection.AcceptedConnection.Kind;
import dev.agentmemory.service.internal.share.CallClient;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.spi.Ticker;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Counts the connections of the server and closes those that are too many. gRPC has no bound on
/// them, and sees a connection only when HTTP/2 has begun on it, so this is done where connections
/// are accepted.
///
/// A connection is unauthenticated until a call on it had the token. A call of the health service
/// needs none: it keeps its connection from being closed as unused, but not from being closed as
/// the oldest unauthenticated one. Any program can open a connection to a port, but only programs
/// of the owner can open one to the Unix socket, so those of ports are closed first. As an
/// interceptor it has to come after the one that checks the token.
public final class OpenConnections implements ServerInterceptor, AutoCloseable {

  private final ConnectionLimits limits;
  private final Optional<AccessTokens> tokens;
  private final EventLoops loops = new EventLoops();
  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private final Set<AcceptedConnection> unauthenticated = new LinkedHashSet<>();
  private final Map<String, Long> refused = new HashMap<>();
  private int open;

  private final Ticker ticker;
  private final DirectMemory memory;

  /// @param memory of what is received
  /// @param tokens of which a client can prove that it has one; empty when callers need none
  public OpenConnections(
      Ticker ticker, ConnectionLimits limits, DirectMemory memory, Optional<AccessTokens> tokens) {
    this.ticker = ticker;
    this.memory = memory;
    this.limits = limits;
    this.tokens = tokens;
  }

  /// The token that the client has proved to have whose call begins on this thread; empty when its
  /// connection did not begin with a proof.
  public static Optional<TokenHash> proven() {
    return AcceptedConnection.reading().flatMap(connection -> connection.proven);
  }

  /// The client whose call begins on this thread.
  public static CallClient client() {
    return AcceptedConnection.reading()
        .map(connection -> connection.client)
        .or(HttpClients::calling)
        .orElseGet(CallClient::current);
  }

  /// Whether the call that begins on this thread came over TCP in plain text.
  public static boolean isPlainTcp() {
    return AcceptedConnection.reading()
        .filter(connection -> connection.kind == Kind.PLAIN_TCP)
        .isPresent();
  }

  /// What was refused or closed since the start: `limit`, as many connections as allowed were open;
  /// `unauthenticated`, there were too many without the token; `unused`, no call came in time;
  /// `unread`, an answer was not read in time; `handshake`, a client has not proved that it has the
  /// token which it named; `exhausted`, there was no direct memory to read from it.
  public Map<String, Long> refused() {
    try (var _ = lock.hold()) {
      return Map.copyOf(refused);
    }
  }

  /// A server of TCP whose connections are accepted here.
  ///
  /// @param tls whether TLS begins on them, which leaves no place for another handshake
  public NettyServerBuilder accept(InetSocketAddress address, boolean tls) {
    return accept(address, EventLoops::tcp, tls ? Kind.TLS : Kind.PLAIN_TCP);
  }

  /// A server of a Unix socket whose connections are accepted here.
  public NettyServerBuilder accept(SocketFile socket) {
    return accept(EventLoops.address(socket.path()), EventLoops::unixSocket, Kind.UNIX);
  }

  private NettyServerBuilder accept(
      SocketAddress address, Supplier<ServerChannel> channels, Kind kind) {
    return NettyServerBuilder.forAddress(address)
        .bossEventLoopGroup(loops.accepting())
        .workerEventLoopGroup(loops.serving())
        .channelFactory(() -> counting(channels.get(), kind))
        .maxConcurrentCallsPerConnection(limits.client().concurrency())
        .maxConnectionIdle(limits.idle().toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Ends the threads, when the server has ended.
  @Override
  public void close() {
    loops.close();
  }

  /// Makes a channel that listens count what it accepts.
  private ServerChannel counting(ServerChannel channel, Kind kind) {
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof Channel accepted && !isTaken(accepted, kind)) {
                  accepted.unsafe().closeForcibly();
                } else {
                  context.fireChannelRead(message);
                }
              }
            });
    return channel;
  }

  private boolean isTaken(Channel accepted, Kind kind) {
    var connection =
        new AcceptedConnection(
            accepted,
            kind,
            memory,
            new ReadPace(ticker, limits.client().bytes()),
            new ReadPace(ticker, limits.client().calls()),
            limits.firstCall(),
            this);
    Optional<AcceptedConnection> superfluous = Optional.empty();
    try (var _ = lock.hold()) {
      boolean full = open >= limits.most();
      if (full || unauthenticated.size() >= limits.mostUnauthenticated()) {
        superfluous = leastWanted();
        count(superfluous.isEmpty() ? "limit" : "unauthenticated");
        if (superfluous.isEmpty()) {
          return false;
        }
        leave(superfluous.get());
      }
      open++;
      unauthenticated.add(connection);
    }
    superfluous.ifPresent(AcceptedConnection::close);
    accepted.pipeline().addFirst(connection);
    if (kind == Kind.PLAIN_TCP) {
      accepted.pipeline().addLast(new ServerHandshake(connection, this, tokens));
    }
    var _ = accepted.closeFuture().addListener(_ -> closed(connection));
    return true;
  }

  /// Call this with the lock.
  private Optional<AcceptedConnection> leastWanted() {
    return unauthenticated.stream()
        .filter(connection -> connection.kind != Kind.UNIX)
        .findFirst()
        .or(() -> unauthenticated.stream().findFirst());
  }

  /// Call this with the lock.
  private void leave(AcceptedConnection connection) {
    if (!connection.left) {
      connection.left = true;
      open--;
      unauthenticated.remove(connection);
    }
  }

  private void closed(AcceptedConnection connection) {
    try (var _ = lock.hold()) {
      leave(connection);
    }
  }

  private void count(String reason) {
    refused.merge(reason, 1L, Long::sum);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<AcceptedConnection> reading = AcceptedConnection.reading();
    reading.ifPresent(AcceptedConnection::begins);
    reading
        .filter(connection -> !connection.used || !connection.authenticated)
        .ifPresent(connection -> {
          connection.used = true;
          if (!HealthGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
            authenticated(connection);
          }
        });
    return next.startCall(call, headers);
  }

  private void authenticated(AcceptedConnection connection) {
    try (var _ = lock.hold()) {
      connection.authenticated = true;
      unauthenticated.remove(connection);
    }
  }

  /// Notes that a client has proved to have a token.
  void proved(AcceptedConnection connection, TokenHash token) {
    connection.proven = Optional.of(token);
    authenticated(connection);
  }

  void expire(AcceptedConnection connection) {
    if (!connection.used && connection.isActive()) {
      close(connection, "unused");
    }
  }

  void close(AcceptedConnection connection, String reason) {
    try (var _ = lock.hold()) {
      count(reason);
    }
    connection.close();
  }
}
