package dev.agentmemory.gateway;

import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.RefusedRequests;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.gateway.internal.server.JettyServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// The daemon's HTTP server, on 127.0.0.1 and on a Unix socket.
public final class HttpGateway implements AutoCloseable {

  private final JettyServer server;
  private final RefusedRequests refused;
  private final Path socket;

  private HttpGateway(JettyServer server, RefusedRequests refused, Path socket) {
    this.server = server;
    this.refused = refused;
    this.socket = socket;
  }

  /// Binds port and socket, and takes requests. What lies at the socket's path is removed if it is
  /// a socket: the caller holds the lock of the data directory, so it is one that a killed daemon
  /// left behind.
  ///
  /// @param healthy what `/health` says
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` if port or socket cannot be bound
  public static HttpGateway start(
      GatewayConfig config, BooleanSupplier healthy, List<Route> routes) {
    var refused = new RefusedRequests();
    var server =
        JettyServer.start(
            new JettyServer.Address(
                config.port(), config.socket(), config.tokens(), config.bearerOverTcp()),
            config.limits(),
            healthy,
            routes,
            refused);
    return new HttpGateway(server, refused, config.socket());
  }

  /// The bound port.
  public int port() {
    return server.port();
  }

  public Path socket() {
    return socket;
  }

  /// What was refused since the start.
  public Map<RefusalReason, Long> refused() {
    return refused.counts();
  }

  /// Takes no further requests, lets those in progress end within the drain time, and removes the
  /// socket.
  @Override
  public void close() {
    server.close();
  }
}
