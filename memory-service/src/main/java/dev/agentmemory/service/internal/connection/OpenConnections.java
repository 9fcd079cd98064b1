package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.spi.Mutex;
import io.grpc.Grpc;
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
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Counts the connections of the server and closes those that are too many. gRPC has no bound on
/// them, and sees a connection only when HTTP/2 has begun on it, so this is done where connections
/// are accepted.
///
/// A connection is unauthenticated until a call on it had the token. A call of the health service
/// needs none: it keeps its connection from being closed as unused, but not from being closed as
/// the oldest unauthenticated one. As an interceptor it has to come after the one that checks the
/// token.
public final class OpenConnections implements ServerInterceptor, AutoCloseable {

  private final ConnectionLimits limits;
  private final EventLoops loops = new EventLoops();
  private final Map<SocketAddress, AcceptedConnection> byClient = new ConcurrentHashMap<>();
  private final Mutex lock = new Mutex();

  // Guarded by the lock.
  private final Set<AcceptedConnection> unauthenticated = new LinkedHashSet<>();
  private final Map<String, Long> refused = new HashMap<>();
  private int open;

  public OpenConnections(ConnectionLimits limits) {
    this.limits = limits;
  }

  /// What was refused or closed since the start: `limit`, as many connections as allowed were open;
  /// `unauthenticated`, there were too many without the token; `unused`, no call came in time;
  /// `unread`, an answer was not read in time.
  public Map<String, Long> refused() {
    try (var _ = lock.hold()) {
      return Map.copyOf(refused);
    }
  }

  /// Makes a server accept its connections here.
  public NettyServerBuilder accept(NettyServerBuilder builder) {
    return builder
        .bossEventLoopGroup(loops.accepting())
        .workerEventLoopGroup(loops.serving())
        .channelFactory(this::channel)
        .maxConnectionIdle(limits.idle().toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Ends the threads, when the server has ended.
  @Override
  public void close() {
    loops.close();
  }

  /// A channel that listens and counts what it accepts.
  private ServerChannel channel() {
    ServerChannel channel = EventLoops.channel();
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                if (message instanceof Channel accepted && !isTaken(accepted)) {
                  accepted.unsafe().closeForcibly();
                } else {
                  context.fireChannelRead(message);
                }
              }
            });
    return channel;
  }

  private boolean isTaken(Channel accepted) {
    if (accepted.remoteAddress() == null) {
      // Its client has gone already.
      return false;
    }
    var connection = new AcceptedConnection(accepted, limits.firstCall(), this::expire);
    Optional<AcceptedConnection> superfluous = Optional.empty();
    try (var _ = lock.hold()) {
      boolean full = open >= limits.most();
      if (full || unauthenticated.size() >= limits.mostUnauthenticated()) {
        superfluous = unauthenticated.stream().findFirst();
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
    byClient.put(accepted.remoteAddress(), connection);
    accepted.pipeline().addFirst(connection);
    var _ = accepted.closeFuture().addListener(_ -> closed(connection));
    return true;
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
    byClient.remove(connection.client(), connection);
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
    of(call)
        .filter(connection -> !connection.authenticated)
        .ifPresent(connection -> {
          connection.used = true;
          if (!HealthGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
            authenticated(connection);
          }
        });
    return next.startCall(call, headers);
  }

  /// The connection of a call; empty when it is closed.
  Optional<AcceptedConnection> of(ServerCall<?, ?> call) {
    return Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
        .flatMap(client -> Optional.ofNullable(byClient.get(client)));
  }

  private void authenticated(AcceptedConnection connection) {
    try (var _ = lock.hold()) {
      connection.authenticated = true;
      unauthenticated.remove(connection);
    }
  }

  private void expire(AcceptedConnection connection) {
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
