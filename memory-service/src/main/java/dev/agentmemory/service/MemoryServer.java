package dev.agentmemory.service;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The daemon's gRPC server. It starts out as not serving.
///
/// Calls start on the transport's own threads: ingest hands over to the store there and never
/// blocks. Reads go on in a bounded pool, `memory-read-N`, what may take long in another,
/// `memory-admin-N`.
public final class MemoryServer implements AutoCloseable {

  private static final int ADMIN_THREADS = 2;
  private static final int ADMIN_QUEUE = 16;
  private static final int MOST_CALLS = 4096;

  private final Server server;
  private final HealthStatusManager health;
  private final List<String> names;
  private final IngestRpc ingest;
  private final List<CallPool> pools;
  private final Duration drain;

  private MemoryServer(
      Server server,
      HealthStatusManager health,
      List<String> names,
      IngestRpc ingest,
      List<CallPool> pools,
      Duration drain) {
    this.server = server;
    this.health = health;
    this.names = names;
    this.ingest = ingest;
    this.pools = pools;
    this.drain = drain;
  }

  /// Binds the address and takes calls.
  ///
  /// @throws MemoryException `CONFLICT` when the address cannot be bound
  public static MemoryServer start(RpcConfig config, Services services) {
    return start(
        config,
        services,
        NettyServerBuilder.forAddress(new InetSocketAddress(config.host(), config.port()))
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .permitKeepAliveTime(10, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true));
  }

  static MemoryServer start(RpcConfig config, Services services, ServerBuilder<?> builder) {
    CallPool reads = new CallPool("memory-read-", config.readThreads(), config.readQueue());
    CallPool work = new CallPool("memory-admin-", ADMIN_THREADS, ADMIN_QUEUE);
    IngestRpc ingest = new IngestRpc(services.intake(), config.window());
    List<BindableService> own =
        List.of(
            new MemoryRpc(services, reads),
            ingest,
            new SessionRpc(services, reads),
            new TocRpc(services, reads, work),
            new AdminRpc(services, reads, work));
    own.forEach(service -> builder.addService(StrictRequests.of(service)));
    HealthStatusManager health = new HealthStatusManager();
    builder
        .addService(health.getHealthService())
        .addService(ProtoReflectionServiceV1.newInstance())
        .addService(oldReflection())
        .directExecutor()
        .maxInboundMessageSize(config.maxInboundBytes())
        .intercept(new WorkspaceGate())
        .intercept(new TokenAuth(config.token()))
        .intercept(new ErrorMapping(new Statuses()));
    List<String> names =
        own.stream()
            .map(service -> service.bindService().getServiceDescriptor().getName())
            .toList();
    var started =
        new MemoryServer(
            builder.build(), health, names, ingest, List.of(reads, work), config.drain());
    started.serving(false);
    started.bind(config);
    return started;
  }

  /// Clients of old ask for reflection under its former name.
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
              + config.host()
              + ":"
              + config.port()
              + "; is another daemon running there? Stop it or choose another port",
          e);
    }
  }

  /// The port that is bound.
  public int port() {
    return server.getPort();
  }

  /// Tells health checks whether calls can be served.
  public void serving(boolean serving) {
    ServingStatus status = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
    names.forEach(name -> health.setStatus(name, status));
  }

  /// Takes no more calls, lets those in progress end within the drain time, then cuts them off.
  @Override
  public void close() {
    health.enterTerminalState();
    server.shutdown();
    ingest.stop();
    try {
      if (!server.awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS)) {
        server.shutdownNow().awaitTermination(drain.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    pools.forEach(CallPool::close);
  }
}
