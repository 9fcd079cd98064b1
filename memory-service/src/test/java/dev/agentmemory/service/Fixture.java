package dev.agentmemory.service;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.store.DaemonReport;
import dev.agentmemory.store.RebuildReport;
import dev.agentmemory.testkit.HeapStore;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A real server on a free port of the loopback over an in-heap store.
final class Fixture implements AutoCloseable {

  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  final FakeToc toc = new FakeToc();
  final MemoryServer server;
  final ManagedChannel channel;
  private final Optional<String> token;

  private Fixture(RpcConfig config, Function<HeapStore, Intake> intake) {
    this.token = config.token();
    this.server = MemoryServer.start(config, services(intake.apply(store)));
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .directExecutor()
            .build();
  }

  static Fixture open() {
    return open(config -> config);
  }

  static Fixture open(UnaryOperator<RpcConfig> change) {
    return new Fixture(change.apply(RpcConfig.loopback(0, Optional.empty())), StoreIntake::new);
  }

  static Fixture open(Intake intake, StreamWindow window) {
    var config =
        new RpcConfig(
            "127.0.0.1", 0, 8 << 20, 2, 16, Optional.empty(), window, Duration.ofSeconds(5));
    return new Fixture(config, store -> intake);
  }

  Services services() {
    return services(new StoreIntake(store));
  }

  private Services services(Intake intake) {
    return new Services(
        intake,
        toc,
        new FakeJobs(),
        store,
        store,
        store,
        () ->
            new DaemonReport(
                store.stats(),
                Map.of("toc", 3L),
                0,
                store.zone(),
                "0.1.0",
                Instant.ofEpochMilli(9),
                true,
                List.of()),
        store::verify,
        () -> new RebuildReport(2, 5));
  }

  MemoryServiceGrpc.MemoryServiceBlockingStub memory() {
    return MemoryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  SessionServiceGrpc.SessionServiceBlockingStub sessions() {
    return SessionServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  AdminServiceGrpc.AdminServiceBlockingStub admin() {
    return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  IngestServiceGrpc.IngestServiceStub streams() {
    return IngestServiceGrpc.newStub(channel);
  }

  MemoryClient client() {
    return MemoryClient.connect(new Endpoint("127.0.0.1", server.port(), token));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.close();
    store.close();
  }
}
