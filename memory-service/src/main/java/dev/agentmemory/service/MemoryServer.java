package dev.agentmemory.service;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.encoded.EncodedCalls;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.service.connection.ClientLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.internal.connection.ClientShares;
import dev.agentmemory.service.internal.connection.DirectMemory;
import dev.agentmemory.service.internal.connection.OpenConnections;
import dev.agentmemory.service.internal.connection.ServerTls;
import dev.agentmemory.service.internal.connection.UnreadAnswers;
import dev.agentmemory.service.internal.encoded.EncodedServer;
import dev.agentmemory.service.internal.intercept.AuditedCalls;
import dev.agentmemory.service.internal.intercept.ErrorMapping;
import dev.agentmemory.service.internal.intercept.LazyGzip;
import dev.agentmemory.service.internal.intercept.RequestIds;
import dev.agentmemory.service.internal.intercept.Statuses;
import dev.agentmemory.service.internal.intercept.StrictRequests;
import dev.agentmemory.service.internal.intercept.TextLimits;
import dev.agentmemory.service.internal.intercept.TokenAuth;
import dev.agentmemory.service.internal.share.StreamBudget;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.BindableService;
import io.grpc.DecompressorRegistry;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The daemon's gRPC server. At first it reports that it does not serve.
///
/// Calls start on the transport's threads. Ingest passes events to the store there and never
/// blocks. Reads run in a bounded pool, `memory-read-N`, operations on whole stores in another,
/// `memory-admin-N`, and those that may take minutes, such as rebuilds, in a third,
/// `memory-rebuild-N`.
public final class MemoryServer implements AutoCloseable {

  /// Logs a stack trace for every message that is too large, although the caller gets that error.
  /// So its level is raised. The field prevents that the logger is garbage collected, which would
  /// reset the level.
  private static final java.util.logging.Logger TRANSPORT =
      java.util.logging.Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream");

  /// Logs a stack trace when a caller cancels a call while responses are sent to it.
  private static final java.util.logging.Logger STREAMS =
      java.util.logging.Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler");

  static {
    TRANSPORT.setLevel(java.util.logging.Level.SEVERE);
    STREAMS.setLevel(java.util.logging.Level.SEVERE);
  }

  /// Prefix of a workspace's name in health checks.
  private static final String WORKSPACE_HEALTH = MemoryServiceGrpc.SERVICE_NAME + "/workspace/";

  /// The same for both pools of administrative calls.
  private static final int ADMIN_THREADS = 2;

  private static final int ADMIN_QUEUE = 16;

  /// A backup may take hours, and later ones wait for it. The number of threads allows for waiting
  /// backups.
  private static final int BACKUP_THREADS = 4;

  /// Their requests may be as large as a message may be.
  private static final Set<String> LARGE_REQUESTS =
      Set.of(
          MemoryServiceGrpc.getIngestEventMethod().getFullMethodName(),
          IngestServiceGrpc.getIngestStreamMethod().getFullMethodName(),
          IngestServiceGrpc.getIngestBatchMethod().getFullMethodName(),
          RecallServiceGrpc.getRememberMethod().getFullMethodName(),
          RecallServiceGrpc.getUpdateMemoryMethod().getFullMethodName(),
          RecallServiceGrpc.getImportMemoriesMethod().getFullMethodName());

  /// Their answers can be large, and a caller that did not get one would store a second state.
  private static final Set<String> ANSWERED_ANYWAY =
      Set.of(
          RecallServiceGrpc.getRememberMethod().getFullMethodName(),
          RecallServiceGrpc.getUpdateMemoryMethod().getFullMethodName());

  /// They are served while memory is short: they tell about the daemon, or read little.
  private static final Set<String> SMALL_CALLS =
      Set.of(
          AdminServiceGrpc.getPingMethod().getFullMethodName(),
          AdminServiceGrpc.getGetStatsMethod().getFullMethodName(),
          AdminServiceGrpc.getGetUsageMethod().getFullMethodName(),
          MemoryServiceGrpc.getGetTocRootMethod().getFullMethodName(),
          MemoryServiceGrpc.getGetNodeMethod().getFullMethodName(),
          MemoryServiceGrpc.getGetSchedulerStatusMethod().getFullMethodName(),
          SearchServiceGrpc.getSearchStatusMethod().getFullMethodName(),
          WorkspaceServiceGrpc.getListWorkspacesMethod().getFullMethodName());

  private final Server server;
  private final Optional<Server> unix;
  private final OpenConnections connections;
  private final ClientShares shares;
  private final EncodedServer encoded;
  private final HealthStatusManager health;
  private final List<String> names;
  private final IngestRpc ingest;
  private final List<CallPool> pools;
  private final Duration drain;
  private final AtomicReference<Supplier<GatewayReport>> gateway;
  private final AtomicReference<Supplier<CaptureReport>> capture;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicReference<Set<String>> reportedBefore = new AtomicReference<>(Set.of());

  private MemoryServer(
      Server server,
      Optional<Server> unix,
      OpenConnections connections,
      ClientShares shares,
      EncodedServer encoded,
      HealthStatusManager health,
      List<String> names,
      IngestRpc ingest,
      List<CallPool> pools,
      Duration drain,
      AtomicReference<Supplier<GatewayReport>> gateway,
      AtomicReference<Supplier<CaptureReport>> capture) {
    this.server = server;
    this.unix = unix;
    this.connections = connections;
    this.shares = shares;
    this.encoded = encoded;
    this.health = health;
    this.names = names;
    this.ingest = ingest;
    this.pools = pools;
    this.drain = drain;
    this.gateway = gateway;
    this.capture = capture;
  }

  /// Binds the address and the Unix socket, and accepts calls.
  ///
  /// @param clock the current time for callers that do not send theirs
  /// @param ticker measures what clients take
  /// @param backups backs up all stores
  /// @throws MemoryException `CONFLICT` when the address or the socket cannot be bound
  public static MemoryServer start(
      InstantSource clock,
      Ticker ticker,
      RpcConfig config,
      WorkspaceSource workspaces,
      Backups backups) {
    return start(clock, ticker, config, workspaces, backups, AuditTrail.NONE);
  }

  /// The same, and records administrative calls.
  ///
  /// @param audit where
  public static MemoryServer start(
      InstantSource clock,
      Ticker ticker,
      RpcConfig config,
      WorkspaceSource workspaces,
      Backups backups,
      AuditTrail audit) {
    var gateway = new AtomicReference<Supplier<GatewayReport>>(() -> GatewayReport.NONE);
    var capture = new AtomicReference<Supplier<CaptureReport>>(() -> CaptureReport.NONE);
    CallPool reads = new CallPool(ticker, "memory-read-", config.readThreads(), config.readQueue());
    CallPool work = new CallPool(ticker, "memory-admin-", ADMIN_THREADS, ADMIN_QUEUE);
    CallPool rebuilds = new CallPool(ticker, "memory-rebuild-", ADMIN_THREADS, ADMIN_QUEUE);
    // Without a queue: a queued call would get no progress messages.
    CallPool copying = new CallPool(ticker, "memory-backup-", BACKUP_THREADS, 0);
    ClientLimits limits = config.connections().client();
    IngestRpc ingest =
        new IngestRpc(
            config.window(), new StreamBudget(limits.requestBytes(), limits.allRequestBytes()));
    DirectMemory memory = DirectMemory.ofProcess();
    var shares = new ClientShares(limits, memory, LARGE_REQUESTS, SMALL_CALLS);
    List<BindableService> perWorkspace =
        List.of(
            new MemoryRpc(reads),
            ingest,
            new SessionRpc(reads),
            new TocRpc(reads, work),
            new SearchRpc(clock, reads, rebuilds),
            new AdminRpc(
                reads,
                work,
                rebuilds,
                () -> gateway.get().get(),
                () -> capture.get().get(),
                audit,
                () ->
                    Stream.of(config.tokens().flatMap(AccessTokens::problem), audit.problem())
                        .flatMap(Optional::stream)
                        .toList()),
            new RecallRpc(reads, work, config.window().timeout()));
    var gate = new WorkspaceGate(workspaces);
    var statuses = new Statuses();
    var ids = new RequestIds();
    List<BindableService> daemonWide =
        List.of(new WorkspaceRpc(workspaces, reads), new BackupRpc(backups, copying));
    HealthStatusManager health = new HealthStatusManager();
    Consumer<ServerBuilder<?>> services =
        builder -> {
          perWorkspace.forEach(service ->
              builder.addService(ServerInterceptors.intercept(StrictRequests.of(service), gate)));
          daemonWide.forEach(service ->
              builder.addService(
                  ServerInterceptors.intercept(
                      StrictRequests.of(service), new RequestedWorkspace())));
          builder
              .addService(health.getHealthService())
              .directExecutor()
              // The last one is the outermost: without a token nothing is read.
              .intercept(new AuditedCalls(audit, config.tokens().isPresent()))
              .intercept(new TextLimits())
              .intercept(shares)
              .intercept(new TokenAuth(config.tokens(), config.address().bearer()))
              .intercept(new ErrorMapping(statuses))
              // The last one is the first that a call comes to.
              .intercept(ids);
        };
    var connections = new OpenConnections(ticker, config.connections(), memory, config.tokens());
    var unread =
        new UnreadAnswers(connections, memory, config.connections().unread(), ANSWERED_ANYWAY);
    Function<NettyServerBuilder, Server> complete =
        builder -> {
          builder
              .addStreamTracerFactory(shares.requests())
              .permitKeepAliveTime(10, TimeUnit.SECONDS)
              .permitKeepAliveWithoutCalls(true)
              .maxInboundMessageSize(config.maxInboundBytes())
              .decompressorRegistry(
                  DecompressorRegistry.getDefaultInstance()
                      .with(new LazyGzip(), /* advertised= */ true))
              .addService(ProtoReflectionServiceV1.newInstance())
              .addService(oldReflection())
              // Before the interceptors of all services, so that they come after the check of the
              // token.
              .intercept(unread)
              .intercept(connections);
          services.accept(builder);
          return builder.build();
        };
    ListenAddress address = config.address();
    NettyServerBuilder tcp =
        connections.accept(
            new InetSocketAddress(address.host(), config.port()), address.tls().isPresent());
    address.tls().ifPresent(files -> ServerTls.use(tcp, files));
    List<String> names =
        Stream.concat(perWorkspace.stream(), daemonWide.stream())
            .map(service -> service.bindService().getServiceDescriptor().getName())
            .toList();
    var started =
        new MemoryServer(
            complete.apply(tcp),
            config.socket().map(connections::accept).map(complete),
            connections,
            shares,
            EncodedServer.start(services),
            health,
            names,
            ingest,
            List.of(reads, work, rebuilds, copying),
            config.drain(),
            gateway,
            capture);
    started.serving(false);
    started.bind(config);
    return started;
  }

  /// Old clients request reflection under its earlier name.
  @SuppressWarnings("deprecation")
  private static BindableService oldReflection() {
    return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
  }

  private void bind(RpcConfig config) {
    try {
      server.start();
    } catch (IOException e) {
      close();
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot listen on "
              + config.address().host()
              + ":"
              + config.port()
              + "; stop the program that uses this port, or choose another port with --port",
          e);
    }
    try {
      config.socket().ifPresent(this::bind);
    } catch (MemoryException e) {
      close();
      throw e;
    }
  }

  private void bind(SocketFile socket) {
    socket.removeStale();
    try {
      unix.orElseThrow().start();
    } catch (IOException e) {
      throw socket.unusable(e);
    }
    socket.restrict();
  }

  /// The bound port.
  public int port() {
    return server.getPort();
  }

  /// The unary calls of this server for other protocols. They end with the server.
  public EncodedCalls encodedCalls() {
    return encoded;
  }

  List<ServerServiceDefinition> services() {
    return server.getServices();
  }

  int openStreams() {
    return ingest.open();
  }

  /// Reports to health checks whether calls can be served.
  public void serving(boolean serving) {
    ServingStatus status = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    names.forEach(name -> health.setStatus(name, status));
  }

  /// Reports to health checks which workspaces can be used, each under its own name. A name that
  /// was reported before and is absent now becomes unknown.
  public void serving(Map<WorkspaceName, Boolean> workspaces) {
    Set<String> reported = new HashSet<>();
    workspaces.forEach((name, serves) -> {
      String service = WORKSPACE_HEALTH + name;
      health.setStatus(service, serves ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
      reported.add(service);
    });
    reportedBefore.getAndSet(reported).stream()
        .filter(service -> !reported.contains(service))
        .forEach(health::clearStatus);
  }

  /// Connections that were refused or closed since the start, by reason, such as `limit`.
  public Map<String, Long> refusedConnections() {
    return connections.refused();
  }

  /// Refuses all but small calls while a condition holds.
  public void refuseWhile(BooleanSupplier memoryShort) {
    shares.refuseWhile(memoryShort);
  }

  /// Calls that were refused since the start because their client had too much in progress, or
  /// memory was short.
  public Map<String, Long> refusedCalls() {
    return shares.refused();
  }

  /// What `GetStats` tells about HTTP and hooks, once these are served.
  public void reports(Supplier<GatewayReport> source) {
    gateway.set(source);
  }

  /// What `GetCapture` tells.
  public void captures(Supplier<CaptureReport> source) {
    capture.set(source);
  }

  /// Accepts no further calls, lets active ones end within the drain time, then cancels them. A
  /// second call does nothing.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    health.enterTerminalState();
    List<Server> servers = Stream.concat(Stream.of(server), unix.stream()).toList();
    servers.forEach(Server::shutdown);
    encoded.close();
    ingest.stop();
    try {
      if (!awaitEnd(servers)) {
        servers.forEach(Server::shutdownNow);
        var _ = awaitEnd(servers);
      }
    } catch (InterruptedException e) {
      servers.forEach(Server::shutdownNow);
      Thread.currentThread().interrupt();
    }
    connections.close();
    encoded.cancelAll();
    pools.forEach(CallPool::close);
  }

  /// Waits for each in turn, at most the drain time.
  private boolean awaitEnd(List<Server> servers) throws InterruptedException {
    boolean ended = true;
    for (Server one : servers) {
      ended &= one.awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS);
    }
    return ended;
  }
}
