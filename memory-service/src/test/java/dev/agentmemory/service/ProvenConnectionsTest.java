package dev.agentmemory.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.service.connection.ConnectionLimits;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.internal.connection.DirectMemory;
import dev.agentmemory.service.internal.connection.OpenConnections;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.wire.TokenHandshake;
import dev.agentmemory.wire.TokenHandshake.Answer;
import dev.agentmemory.wire.TokenHandshake.Hello;
import dev.agentmemory.wire.TokenHandshake.Side;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.MetadataUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections of TCP that begin with the proof that both sides have the same token.
class ProvenConnectionsTest {

  private static final TokenHash KEY = TokenHash.of("right");
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final AtomicReference<AccessTokens> tokens =
      new AtomicReference<>(AccessTokens.single("right"));
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  /// Of which a test can revoke one.
  private final AccessTokens present =
      new AccessTokens() {
        @Override
        public Optional<Caller> caller(TokenHash hash) {
          return tokens.get().caller(hash);
        }

        @Override
        public List<TokenHash> hashes() {
          return tokens.get().hashes();
        }
      };

  private Fixture fixture(boolean bearer) {
    Fixture fixture =
        Fixture.open(_ ->
            RpcConfig.loopback(0, Optional.of(present))
                .withAddress(new ListenAddress("127.0.0.1", Optional.empty(), bearer)));
    opened.add(fixture);
    return fixture;
  }

  private MemoryClient client(int port, String token) {
    MemoryClient client =
        MemoryClient.connect(
            new Endpoint("127.0.0.1", port, Optional.of(token)),
            Deadlines.DEFAULT.withAlive(SHORT));
    opened.add(client);
    return client;
  }

  private static MemoryException failure(MemoryClient client) {
    return catchThrowableOfType(MemoryException.class, client::ping);
  }

  @Test
  void client_withTheToken_isServed_evenWhereNoTokenMayBeSent() {
    client(fixture(true).server.port(), "right").ping();
    client(fixture(false).server.port(), "right").ping();
  }

  @Test
  void client_sendsNoTokenOverTcp() throws Exception {
    var headers = new AtomicReference<Metadata>();
    var connections =
        new OpenConnections(
            System::nanoTime,
            ConnectionLimits.DEFAULT,
            DirectMemory.ofProcess(),
            Optional.of(tokens.get()));
    opened.add(connections);
    Server server =
        connections
            .accept(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* tls= */ false)
            .addService(new HealthStatusManager().getHealthService())
            .intercept(
                new ServerInterceptor() {
                  @Override
                  public <Q, A> ServerCall.Listener<Q> interceptCall(
                      ServerCall<Q, A> call, Metadata sent, ServerCallHandler<Q, A> next) {
                    headers.set(sent);
                    return next.startCall(call, sent);
                  }
                })
            .build()
            .start();
    opened.add(server::shutdownNow);
    assertThat(client(server.getPort(), "right").serving()).isTrue();
    assertThat(headers.get().keys()).isNotEmpty().doesNotContain("authorization");
  }

  @Test
  void token_thatIsRevoked_isNotValidOnAnOpenConnection() {
    MemoryClient client = client(fixture(true).server.port(), "right");
    client.ping();
    tokens.set(AccessTokens.single("another"));
    MemoryException failure = failure(client);
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(failure).hasMessageContaining("the token is not valid any more");
  }

  @Test
  void token_thatTheDaemonDoesNotKnow_isSaidSo() {
    MemoryException failure = failure(client(fixture(true).server.port(), "wrong"));
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(failure).hasMessageContaining("does not know the token");
  }

  @Test
  void daemon_withoutTokens_cannotProveAnything() {
    Fixture open = Fixture.open(_ -> RpcConfig.loopback(0, Optional.empty()));
    opened.add(open);
    MemoryException failure = failure(client(open.server.port(), "right"));
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure).hasMessageContaining("call it without a token");
  }

  @Test
  void tokenInACall_whereNoneMayBeSent_isRefused() throws Exception {
    Fixture fixture = fixture(false);
    var headers = new Metadata();
    headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer right");
    Refusals.of(
            () -> {
              var _ =
                  fixture
                      .admin()
                      .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                      .ping(PingRequest.getDefaultInstance());
            })
        .is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED)
        .says("auth.bearer_over_tcp = refused");
  }

  /// An impostor that answers at once, says nothing, or passes everything on to the daemon, which
  /// has another port.
  @ParameterizedTest
  @ValueSource(strings = {"speaks", "silent", "leaves", "sends back", "passes on"})
  void impostor_getsNeitherTokenNorCalls(String kind) throws Exception {
    int daemon = fixture(true).server.port();
    var impostor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    opened.add(impostor);
    var got = new ArrayList<String>();
    var ended = CompletableFuture.runAsync(() -> pretend(kind, impostor, daemon, got));
    MemoryException failure = failure(client(impostor.getLocalPort(), "right"));
    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(failure).hasMessageContaining("nothing was sent to it");
    opened.removeLast().close();
    impostor.close();
    ended.join();
    assertThat(got).hasSize(1).allMatch(line -> Hello.parse(line).isPresent());
  }

  private static void pretend(String kind, ServerSocket listener, int daemon, List<String> got) {
    try (Socket client = listener.accept();
        var there = new Socket(InetAddress.getLoopbackAddress(), daemon)) {
      var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
      String hello = lines.readLine();
      got.add(hello);
      String answer =
          switch (kind) {
            case "speaks" -> new Answer("0".repeat(64), "0".repeat(32)).line();
            case "sends back" -> hello;
            case "passes on" -> answered(there, hello);
            case "leaves" -> {
              client.shutdownOutput();
              yield "";
            }
            default -> "";
          };
      if (!answer.isEmpty()) {
        send(client, answer);
      }
      String more = lines.readLine();
      while (more != null) {
        got.add(more);
        more = lines.readLine();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void send(Socket socket, String line) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write((line + "\n").getBytes(US_ASCII));
    out.flush();
  }

  private static String answered(Socket daemon, String line) throws IOException {
    send(daemon, line);
    return new BufferedReader(new InputStreamReader(daemon.getInputStream(), US_ASCII)).readLine();
  }

  /// It has seen the first line of a client, but not the token.
  @Test
  void clientWithoutTheToken_isCutOff_andCounted() throws Exception {
    Fixture fixture = fixture(true);
    Socket socket = socket(fixture);
    String answer = answered(socket, new Hello(TokenHandshake.id(KEY), "0".repeat(32)).line());
    assertThat(Answer.parse(answer)).isPresent();
    send(socket, "0".repeat(64));
    assertThat(isEnded(socket)).isTrue();
    Await.until(
        "the connection is counted",
        () -> fixture.server.refusedConnections().getOrDefault("handshake", 0L) == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent-memory-handshake 2 0123 0123", "a", "agent\nand more"})
  void otherLines_areCutOff(String line) throws Exception {
    Socket socket = socket(fixture(true));
    send(socket, line);
    assertThat(isEnded(socket)).isTrue();
  }

  @Test
  void lineWithoutAnEnd_isCutOff() throws Exception {
    Socket socket = socket(fixture(true));
    socket.getOutputStream().write("a".repeat(TokenHandshake.MOST_LINE).getBytes(US_ASCII));
    assertThat(isEnded(socket)).isTrue();
  }

  @Test
  void lines_thatComeByteByByte_areRead() throws Exception {
    Fixture fixture = fixture(true);
    Socket socket = socket(fixture);
    socket.setTcpNoDelay(true);
    String nonce = TokenHandshake.nonce();
    for (byte one : (new Hello(TokenHandshake.id(KEY), nonce).line() + "\n").getBytes(US_ASCII)) {
      socket.getOutputStream().write(one);
    }
    var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    Answer answer = Answer.parse(lines.readLine()).orElseThrow();
    var handshake = new TokenHandshake(KEY, fixture.server.port(), nonce, answer.nonce());
    assertThat(handshake.isProof(Side.DAEMON, answer.proof())).isTrue();
    send(socket, handshake.proof(Side.CLIENT));
    // HTTP/2 has begun: the daemon's settings come, a frame whose length is less than 256.
    assertThat(lines.read()).isZero();
  }

  private Socket socket(Fixture fixture) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), fixture.server.port());
    socket.setSoTimeout(20_000);
    opened.add(socket);
    return socket;
  }

  private static boolean isEnded(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return true;
    }
  }
}
