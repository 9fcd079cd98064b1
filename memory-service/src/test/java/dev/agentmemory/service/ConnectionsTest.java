package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ConnectionLimits.Unread;
import dev.agentmemory.types.MemoryException;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How many connections the server has and how long, over a real port.
@Timeout(60)
class ConnectionsTest {

  private static final int MOST = 16;
  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private Fixture fixture(Duration firstCall, Duration idle) {
    Fixture fixture =
        Fixture.open(config ->
            withToken(config)
                .withConnections(new ConnectionLimits(MOST, firstCall, idle, Unread.DEFAULT)));
    opened.add(fixture);
    return fixture;
  }

  /// The token is "right".
  static RpcConfig withToken(RpcConfig config) {
    return new RpcConfig(
        config.address(),
        0,
        config.maxInboundBytes(),
        config.readThreads(),
        config.readQueue(),
        Optional.of(AccessTokens.single("right")),
        config.window(),
        config.drain(),
        config.connections(),
        config.socket());
  }

  private Socket socket(Fixture fixture) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), fixture.server.port());
    socket.setSoTimeout(20_000);
    opened.add(socket);
    return socket;
  }

  private MemoryClient client(Fixture fixture) {
    MemoryClient client = fixture.client();
    opened.add(client);
    return client;
  }

  /// Waits for the server to close it.
  static void awaitEnd(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // What the server says first.
      }
    } catch (SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  private static long refused(Fixture fixture, String reason) {
    return fixture.server.refusedConnections().getOrDefault(reason, 0L);
  }

  @Test
  void connections_withoutACall_leaveRoomForOneWithTheToken() throws Exception {
    Fixture fixture = fixture(LONG, LONG);
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      idle.add(socket(fixture));
    }
    try (MemoryClient client = fixture.client()) {
      client.ping();
    }
    // A quarter of the bound; the client was one of them before its first call.
    for (Socket oldest : idle.subList(0, 50 - MOST / 4)) {
      awaitEnd(oldest);
    }
    assertThat(refused(fixture, "unauthenticated")).isBetween(50L - MOST / 4, 51L - MOST / 4);
    assertThat(refused(fixture, "limit")).isZero();
  }

  @Test
  void connections_withTheToken_areNotClosedForOthers() throws Exception {
    Fixture fixture = fixture(LONG, LONG);
    List<MemoryClient> clients = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      clients.add(client(fixture));
      clients.getLast().ping();
    }
    awaitEnd(socket(fixture));
    try (MemoryClient further = fixture.client()) {
      assertThatThrownBy(further::ping).isInstanceOf(MemoryException.class);
    }
    assertThat(refused(fixture, "limit")).isPositive();
    clients.forEach(MemoryClient::ping);

    clients.getFirst().close();
    try (MemoryClient further = fixture.client()) {
      await(() -> pings(further), "a place that is free again");
    }
  }

  private static boolean pings(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      return false;
    }
  }

  @Test
  void connection_onWhichNoCallIsServedInTime_isClosed() throws Exception {
    Fixture fixture = fixture(Duration.ofMillis(1500), LONG);
    MemoryClient client = client(fixture);
    client.ping();
    ManagedChannel monitor = channel(fixture);
    var health = HealthGrpc.newBlockingStub(monitor);
    assertThat(health.check(HealthCheckRequest.getDefaultInstance())).isNotNull();
    awaitEnd(socket(fixture));
    var wrong = new WireSocket(fixture.server.port(), "memory.AdminService/Ping");
    opened.add(wrong);
    wrong.send(WireSocket.data(WireSocket.message(new byte[0]), true));
    wrong.awaitAnswer();
    wrong.awaitEnd();
    await(() -> refused(fixture, "unused") == 2, "the count");
    assertThat(monitor.getState(false)).isEqualTo(ConnectivityState.READY);
    client.ping();
  }

  @Test
  void connection_thatIsIdleAfterCalls_isClosed_andTheClientConnectsAgain() throws Exception {
    Fixture fixture = fixture(LONG, Duration.ofSeconds(1));
    ManagedChannel monitor = channel(fixture);
    var health = HealthGrpc.newBlockingStub(monitor);
    assertThat(health.check(HealthCheckRequest.getDefaultInstance())).isNotNull();
    await(() -> monitor.getState(false) == ConnectivityState.IDLE, "the end of the connection");
    assertThat(health.check(HealthCheckRequest.getDefaultInstance())).isNotNull();
    assertThat(fixture.server.refusedConnections()).isEmpty();
  }

  private ManagedChannel channel(Fixture fixture) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", fixture.server.port())
            .usePlaintext()
            .directExecutor()
            .build();
    opened.add(channel::shutdownNow);
    return channel;
  }

  private static void await(BooleanSupplier holds, String what) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      var _ = new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
    }
  }
}
