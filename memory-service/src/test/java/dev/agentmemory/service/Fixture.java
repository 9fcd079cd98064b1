package dev.agentmemory.service;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.RebuildReport;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.engine.internal.local.LocalAdmin;
import dev.agentmemory.engine.internal.local.LocalContents;
import dev.agentmemory.engine.internal.local.LocalEventLog;
import dev.agentmemory.engine.internal.local.LocalMemory;
import dev.agentmemory.engine.internal.local.LocalSessions;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.resource.ResourceRoute;
import dev.agentmemory.gateway.rpc.RpcRoute;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.ingest.Ingestor;
import dev.agentmemory.pipeline.job.JobThreads;
import dev.agentmemory.pipeline.job.Scheduler;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobRefused;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SocketFile;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.ScriptedCalls;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.NodeHistory;
import dev.agentmemory.toc.TocWriter;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.TocNode;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A real server on a free port of the loopback over an in-heap store, with the parts that a daemon
/// has.
final class Fixture implements AutoCloseable {

  /// What the daemon's clock says.
  static final Instant NOW = Instant.ofEpochMilli(Samples.START).plus(Duration.ofHours(1));

  /// A job that does something.
  static final String ROLLUP = "toc_rollup_day";

  /// A job that fails.
  static final String BROKEN = "broken";

  static final String REFUSING = "refusing";

  /// Jobs that wait for [#release].
  static final String HELD = "held";

  static final String HELD_TOO = "held_too";

  /// The one that the server takes if it needs one.
  static final String TOKEN = "right";

  /// Of the HTTP server where the gRPC server needs none.
  static final String ANY_TOKEN = "0123456789abcdef";

  /// For stores that have no files.
  static final Backups NO_BACKUPS =
      (target, workspaces, withIndex, steps) -> {
        throw MemoryException.invalid("directory", "is of no use here");
      };

  final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final HeapSearching searching = new HeapSearching(store);

  /// What the calls for curated memories answer.
  final ScriptedCalls script = new ScriptedCalls();

  final FailingToc toc = new FailingToc(store);
  final JobThreads threads = new JobThreads(1);
  final Scheduler scheduler =
      new Scheduler(() -> NOW, () -> 0, new SplittableRandom(1), store, threads);
  final MemoryServer server;
  final ManagedChannel channel;
  private final CompletableFuture<Map<String, String>> released = new CompletableFuture<>();
  private final Path socket;
  private final boolean ownSocket;
  private final Optional<String> token;
  private Optional<HttpGateway> gateway = Optional.empty();

  private Fixture(RpcConfig given, Function<HeapStore, Ingest> ingest) {
    RpcConfig config =
        given.socket().isPresent()
            ? given
            : given.withSocket(new SocketFile(folder().resolve("grpc.sock")));
    this.socket = config.socket().orElseThrow().path();
    this.ownSocket = given.socket().isEmpty();
    this.token = config.tokens().map(_ -> TOKEN);
    scheduler.add(new Job(ROLLUP, new Schedule.OnRequest(), () -> Map.of("nodes", "4")));
    scheduler.add(
        new Job(
            BROKEN,
            new Schedule.OnRequest(),
            () -> {
              throw new IllegalStateException("disk full");
            }));
    for (String job : List.of(HELD, HELD_TOO)) {
      scheduler.add(new Job(job, new Schedule.OnRequest(), released::join));
    }
    scheduler.add(
        new Job(
            REFUSING,
            new Schedule.OnRequest(),
            () -> {
              throw new JobRefused("no key");
            }));
    scheduler.start();
    this.server =
        MemoryServer.start(
            () -> NOW,
            System::nanoTime,
            config,
            OneWorkspace.of(memory(ingest.apply(store))),
            NO_BACKUPS);
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port())
            .usePlaintext()
            .directExecutor()
            .build();
  }

  /// Lets these jobs end.
  void release() {
    released.complete(Map.of());
  }

  static Fixture open() {
    return open(config -> config);
  }

  static Fixture open(UnaryOperator<RpcConfig> change) {
    return new Fixture(change.apply(RpcConfig.loopback(0, Optional.empty())), Fixture::ingestor);
  }

  static Fixture open(Ingest ingest, StreamWindow window) {
    var config =
        new RpcConfig(
            ListenAddress.LOOPBACK,
            0,
            8 << 20,
            2,
            16,
            Optional.empty(),
            window,
            Duration.ofSeconds(5),
            ConnectionLimits.DEFAULT,
            Optional.empty());
    return new Fixture(config, store -> ingest);
  }

  LocalMemory inProcess() {
    return memory(ingestor(store));
  }

  private static Ingest ingestor(HeapStore store) {
    return new Ingestor(() -> NOW, store, IngestLimits.DEFAULT);
  }

  void put(TocNode... nodes) {
    store.commit(Commit.of(Stream.of(nodes).<Change>map(Change.PutNode::new).toList()));
  }

  /// Stores events of one session and [Samples#grip] 1 on one of them.
  void putGrip(List<Event> session, Event on) {
    store.commit(Commit.append(session));
    store.commit(Commit.of(new Change.PutGrip(Samples.gripOn(on))));
  }

  private LocalMemory memory(Ingest ingest) {
    return new LocalMemory(
        ingest,
        new LocalEventLog(store),
        new LocalContents(
            new TocNavigator(toc, store, String::length),
            new NodeHistory(
                new TocWriter(() -> NOW, store, /* upgrading= */ false, nodes -> {}), node -> {})),
        searching,
        new LocalSessions(store),
        script.of(Recall.class),
        scheduler,
        new LocalAdmin(
            () -> NOW,
            store,
            this::report,
            () -> new RebuildReport(2, 5),
            dryRun ->
                new ScrubReport(
                    dryRun ? 7 : 1,
                    2,
                    3,
                    4,
                    5,
                    List.of(new ScrubReport.Kind("acme_key", 1, 2, 3, 4))),
            new ScriptedErasing()));
  }

  private DaemonReport report() {
    return new DaemonReport(
        store.stats(),
        Map.of("toc", 3L),
        0,
        store.zone(),
        "0.1.0",
        Instant.ofEpochMilli(9),
        true,
        List.of(),
        SummarizerReport.EXTRACTIVE,
        RefusalReport.NONE,
        GatewayReport.NONE,
        Optional.empty());
  }

  MemoryServiceGrpc.MemoryServiceBlockingStub memory() {
    return MemoryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  TocServiceGrpc.TocServiceBlockingStub toc() {
    return TocServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  SessionServiceGrpc.SessionServiceBlockingStub sessions() {
    return SessionServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  AdminServiceGrpc.AdminServiceBlockingStub admin() {
    return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  SearchServiceGrpc.SearchServiceBlockingStub search() {
    return SearchServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  RecallServiceGrpc.RecallServiceBlockingStub recall() {
    return RecallServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  IngestServiceGrpc.IngestServiceStub streams() {
    return IngestServiceGrpc.newStub(channel);
  }

  MemoryClient client() {
    return MemoryClient.connect(new Endpoint("127.0.0.1", server.port(), token));
  }

  /// The client of the commands, over the Unix socket of [#gateway].
  MemoryClient thinClient() {
    return MemoryClient.connectThin(httpEndpoint(gateway().socket()), Deadlines.DEFAULT);
  }

  Endpoint httpEndpoint(Path http) {
    return new Endpoint("127.0.0.1", server.port(), Optional.of(token.orElse(ANY_TOKEN)))
        .withHttp(Optional.of(UnixDomainSocketAddress.of(http)))
        .withSocket(socket);
  }

  /// The HTTP server, which is started when it is first needed.
  HttpGateway gateway() {
    return gateway.orElseGet(() -> gateway(folder().resolve("http.sock")));
  }

  /// Starts the HTTP server.
  ///
  /// @param socket its path, in a directory of its own that exists
  HttpGateway gateway(Path socket) {
    gateway =
        Optional.of(
            HttpGateway.start(
                new GatewayConfig(
                    0, socket, AccessTokens.single(token.orElse(ANY_TOKEN)), GatewayLimits.DEFAULT),
                this::serving,
                List.of(
                    new RpcRoute(server.encodedCalls(), RpcConfig.MOST_REQUEST_BYTES),
                    new ResourceRoute(server.encodedCalls(), RpcConfig.MOST_REQUEST_BYTES))));
    return gateway.get();
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("memory");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean serving() {
    return HealthGrpc.newBlockingStub(channel)
            .check(HealthCheckRequest.getDefaultInstance())
            .getStatus()
        == HealthCheckResponse.ServingStatus.SERVING;
  }

  private void closeGateway(HttpGateway open) {
    open.close();
    deleteFolder(open.socket());
  }

  private static void deleteFolder(Path socket) {
    try {
      Files.delete(Objects.requireNonNull(socket.getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    gateway.ifPresent(this::closeGateway);
    release();
    channel.shutdownNow();
    server.close();
    if (ownSocket) {
      deleteFolder(socket);
    }
    scheduler.close();
    searching.close();
    store.close();
  }

  /// Answers with what it was asked.
  private static final class ScriptedErasing implements LocalAdmin.Erasing {

    @Override
    public ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait) {
      return new ForgetReceipt(
          dryRun ? "" : "01KFGB5GAT0ZM62QC7QPXF2S6V",
          NOW,
          what.reason(),
          what.events().size(),
          2,
          what.memories().size(),
          4,
          5,
          Map.of("work.retry", 6L),
          "sha256:00",
          !wait,
          List.of("/backups 000001"),
          7,
          List.of("a folder is left; delete it"));
    }

    @Override
    public ForgetPreview preview(Forgetting what, String mention) {
      return new ForgetPreview(
          forget(what, /* dryRun= */ true, /* wait= */ false),
          8,
          9,
          List.of(
              new ForgetPreview.Sample(
                  ForgetPreview.Sample.Kind.MENTION,
                  "an-id",
                  10,
                  mention.isEmpty() ? "no words" : mention)),
          11,
          true);
    }
  }
}
