package dev.agentmemory.daemon;

import dev.agentmemory.agents.AgentHome;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.cli.agent.AgentReports;
import dev.agentmemory.cli.agent.install.AgentSite;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.WrittenSettings;
import dev.agentmemory.daemon.memory.MemoryParts;
import dev.agentmemory.daemon.memory.MemoryWatch;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.engine.audit.RecordedSettings;
import dev.agentmemory.engine.data.Token;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.gateway.SocketPath;
import dev.agentmemory.gateway.console.ConsoleKeys;
import dev.agentmemory.gateway.console.ConsoleRoutes;
import dev.agentmemory.gateway.hook.HookConfig;
import dev.agentmemory.gateway.hook.HookReceiver;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.service.MemoryServer;
import dev.agentmemory.service.RpcConfig;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.spi.SystemServices;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running daemon: an engine and the server through which others use it. One place puts the parts
/// together and takes them apart in reverse order.
public final class Daemon implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicReference<@Nullable Served> served = new AtomicReference<>();
  private final AtomicReference<@Nullable HttpGateway> http = new AtomicReference<>();
  private int port;
  private int httpPort;

  private record Served(Engine engine, MemoryServer server) {}

  private Daemon() {}

  /// Opens the engine, then takes calls. What was opened is closed again when something fails.
  ///
  /// A store that cannot be opened does not keep the daemon from starting: its calls fail with the
  /// reason, and health tells it.
  ///
  /// @throws dev.agentmemory.types.MemoryException when the directory or the port cannot be used
  public static Daemon start(DaemonConfig config) {
    return start(config, Optional.empty());
  }

  /// The same, and records which settings were changed since the last start.
  ///
  /// @param settings those that are not defaults; empty to record nothing
  static Daemon start(DaemonConfig config, Optional<WrittenSettings> settings) {
    var daemon = new Daemon();
    try {
      daemon.open(config, settings);
      return daemon;
    } catch (RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
  }

  private void open(DaemonConfig config, Optional<WrittenSettings> settings) {
    var system = SystemServices.ofMachine();
    // The servers are started meanwhile.
    Engine engine = Engine.opening(system, config.engine(), this::tellHealth);
    parts.push(engine);
    settings.ifPresent(written ->
        new RecordedSettings(engine.audit(), config.data(), system.random())
            .compare(written.values()));
    HookReceiver hooks =
        HookReceiver.start(
            system.clock(),
            new HookConfig(config.data(), config.agents(), transcripts()),
            engine.source());
    parts.push(hooks);
    // Before calls are taken: none may forget in the stores only.
    engine.forgetIn(hooks.files());
    ConsoleKeys tokens =
        new ConsoleKeys(
            system.ticker(), Token.random(), engine.directory().tokens(system.ticker()));
    FileLimit files = FileLimit.ofProcess();
    ConnectionLimits connections = config.connections();
    Path socket = socket(config.data());
    MemoryServer server =
        MemoryServer.start(
            system.clock(),
            system.ticker(),
            RpcConfig.loopback(
                    config.port(), config.loopbackOpen() ? Optional.empty() : Optional.of(tokens))
                .withAddress(config.address())
                .withConnections(connections.withMost(files.connections(connections.most())))
                .withSocket(new SocketFile(socket.resolveSibling("grpc.sock"))),
            engine.source(),
            engine.backups(),
            engine.audit());
    parts.push(server);
    MemoryWatch memory =
        MemoryWatch.start(system.ticker(), MemoryParts.of(config).ceiling(config.ceiling()));
    parts.push(memory);
    server.refuseWhile(memory::isNear);
    port = server.port();
    served.set(new Served(engine, server));
    Supplier<GatewayReport> report =
        () ->
            hooks
                .report(refused())
                .withRefusedConnections(refused(server))
                .withMemory(new GatewayReport.ProcessBytes(memory.used(), memory.ceiling()));
    List<Route> console =
        ConsoleRoutes.of(system.ticker(), tokens, engine.audit(), config.data(), this::servedPort);
    List<Route> routes =
        HttpRoutes.of(
            system, engine, server.encodedCalls(), hooks, console, report, memory::isNear);
    HttpGateway gateway = gateway(config, socket, files, tokens, engine, routes);
    parts.push(gateway);
    http.set(gateway);
    httpPort = gateway.port();
    server.reports(report);
    var site =
        new AgentSite(
            config.data(), AgentHome.of(System.getenv()), System.getenv(), Optional.empty());
    server.captures(() -> AgentReports.captures(site, system.now()));
    engine.awaitOpen();
    // Before clients can find the daemon, so that its first answer is correct.
    tellHealth();
    engine
        .directory()
        .announce(config.address().host(), port, httpPort, gateway.socket(), Version.current());
    parts.push(engine.directory()::withdraw);
    parts.push(HealthWatch.start(engine::problems, _ -> tellHealth()));
    parts.push(HeapWatch.start(system.ticker()));
    LOG.info(
        "agent-memory {} serves gRPC on {}:{} and HTTP on port {} from {}",
        Version.current(),
        config.address().host(),
        port,
        httpPort,
        config.data());
  }

  /// The port of the HTTP server, for its own threads.
  private int servedPort() {
    HttpGateway gateway = http.get();
    return gateway == null ? 0 : gateway.port();
  }

  /// What the HTTP server has refused; nothing before it is there.
  private Map<RefusalReason, Long> refused() {
    HttpGateway gateway = http.get();
    return gateway == null ? Map.of() : gateway.refused();
  }

  /// What the gRPC server has refused. No reason of connections is one of calls.
  private static Map<String, Long> refused(MemoryServer server) {
    Map<String, Long> refused = new HashMap<>(server.refusedConnections());
    refused.putAll(server.refusedCalls());
    return refused;
  }

  /// Where the agents of this user keep their transcripts.
  private static TranscriptRoots transcripts() {
    return new TranscriptRoots(AgentHome.of(System.getenv()), System.getenv());
  }

  /// The Unix socket of HTTP. That of gRPC lies beside it.
  private static Path socket(Path data) {
    return SocketPath.of(
        data,
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")),
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  private static HttpGateway gateway(
      DaemonConfig config,
      Path socket,
      FileLimit files,
      AccessTokens tokens,
      Engine engine,
      List<Route> routes) {
    // HTTP needs the token also where `auth.loopback` is open: pages in a browser reach it.
    GatewayLimits limits = GatewayLimits.DEFAULT;
    var address =
        new GatewayConfig(
            config.httpPort(),
            socket,
            tokens,
            config.bearerOverTcp(),
            limits
                .withConnections(files.connections(limits.connections()))
                .withRequests(config.connections().client().calls()));
    return HttpGateway.start(address, () -> engine.problems().isEmpty(), routes);
  }

  private void tellHealth() {
    Served running = served.get();
    if (running != null) {
      running.server().serving(running.engine().problems().isEmpty());
      running.server().serving(running.engine().health());
    }
  }

  /// The port on which calls are taken.
  public int port() {
    return port;
  }

  /// The port on which HTTP is served.
  public int httpPort() {
    return httpPort;
  }

  /// Waits until the daemon was closed.
  public void await() throws InterruptedException {
    closed.await();
  }

  /// Takes no more calls, lets those in progress end, and closes everything. A second call does
  /// nothing.
  @Override
  public synchronized void close() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.error("could not close {}", part.getClass().getSimpleName(), e);
      }
    }
    closed.countDown();
  }
}
