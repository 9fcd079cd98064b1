package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.http.RefusedRequests;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.DoSHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts Jetty's parts together: one bounded pool `memory-http-N`, a connector for each transport,
/// bounds of each connection.
public final class JettyServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JettyServer.class);
  private static final int LEAST_THREADS = 4;
  private static final int THREAD_IDLE_MILLIS = 60_000;
  private static final int HEAD_BYTES = 16 << 10;
  private static final String HOST = "127.0.0.1";

  /// Ids in a path may hold any character. `CallHandler` lets only routes have such paths that read
  /// them as they were sent.
  private static final UriCompliance ENCODED_IDS =
      UriCompliance.DEFAULT.with(
          "ids",
          UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
          UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
          UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS);

  /// Of a connection while the server stops.
  private static final int STOPPING_IDLE_MILLIS = 1_000;

  private final Server server;
  private final ServerConnector tcp;
  private final SocketFile socket;
  private final GatewayLimits limits;

  /// Where it listens, the tokens of its requests, and whether they may be sent over the port.
  public record Address(int port, Path socket, AccessTokens tokens, boolean bearerOverTcp) {}

  private JettyServer(Server server, ServerConnector tcp, SocketFile socket, GatewayLimits limits) {
    this.server = server;
    this.tcp = tcp;
    this.socket = socket;
    this.limits = limits;
  }

  /// @throws MemoryException `CONFLICT` if port or socket cannot be bound
  public static JettyServer start(
      Address address,
      GatewayLimits limits,
      BooleanSupplier healthy,
      List<Route> routes,
      RefusedRequests refused) {
    var pool = new QueuedThreadPool(limits.threads(), LEAST_THREADS, THREAD_IDLE_MILLIS);
    pool.setName("memory-http");
    pool.setDaemon(true);
    // Jetty keeps threads back for connections of several streams, which HTTP/1.1 does not have.
    pool.setReservedThreads(0);
    var server = new Server(pool);
    var speeds = new ConnectionSpeeds(refused, limits);
    var tcp = new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration()));
    tcp.setHost(HOST);
    tcp.setPort(address.port());
    var unix =
        new UnixDomainServerConnector(server, 1, 1, new HttpConnectionFactory(configuration()));
    unix.setUnixDomainPath(address.socket());
    for (AbstractConnector connector : List.of(tcp, unix)) {
      connector.setIdleTimeout(limits.idle().toMillis());
      connector.setShutdownIdleTimeout(STOPPING_IDLE_MILLIS);
      connector.addBean(speeds);
      connector.addBean(new NetworkConnectionLimit(limits.connections(), connector));
      server.addConnector(connector);
    }
    server.setErrorHandler(new JsonErrors(refused));
    server.setStopTimeout(limits.drain().toMillis());
    var started = new JettyServer(server, tcp, new SocketFile(address.socket()), limits);
    try {
      started.bind(address);
      var checks = new RequestChecks(tcp.getLocalPort(), address.tokens(), address.bearerOverTcp());
      var calls =
          new CallHandler(
              checks,
              routes,
              healthy,
              refused,
              speeds,
              new BodyBudget(limits.bodyBytes(), /* singly= */ true),
              new BodyBudget(limits.bodyBytes(), /* singly= */ false));
      server.setHandler(new GracefulHandler(limited(calls, limits)));
      started.run();
      started.sweep(speeds);
      return started;
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
  }

  /// Refuses requests of a connection beyond its rate.
  private static Handler limited(CallHandler calls, GatewayLimits limits) {
    return new DoSHandler(
        calls,
        DoSHandler.ID_FROM_CONNECTION,
        new DoSHandler.LeakingBucketTrackerFactory(limits.requests()),
        calls::refuseRate,
        // Those of both transports, and some that have just been closed.
        4 * limits.connections(),
        /* rejectUntracked= */ false);
  }

  private static HttpConfiguration configuration() {
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(HEAD_BYTES);
    http.setUriCompliance(ENCODED_IDS);
    return http;
  }

  private void bind(Address address) {
    try {
      tcp.open();
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot listen on "
              + HOST
              + ":"
              + address.port()
              + " for HTTP; stop the program that uses this port, or choose another one with"
              + " --set http.port",
          e);
    }
    socket.removeStale();
  }

  private void run() {
    try {
      server.start();
    } catch (Exception e) {
      throw socket.unusable(e);
    }
    socket.restrict();
  }

  private void sweep(ConnectionSpeeds speeds) {
    if (!server.isRunning()) {
      return;
    }
    speeds.sweep();
    server
        .getScheduler()
        .schedule(() -> sweep(speeds), limits.sweep().toMillis(), TimeUnit.MILLISECONDS);
  }

  /// The bound port.
  public int port() {
    return tcp.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the HTTP server did not stop in order", e);
    }
    try {
      socket.removeStale();
    } catch (MemoryException e) {
      LOG.warn("cannot remove the Unix socket {}", socket.path(), e);
    }
  }
}
