package dev.agentmemory.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/// The checks and limits of the server, over real sockets.
@Tag("slow")
@Timeout(60)
class HttpGatewayTest {

  private static final GatewayLimits TIGHT =
      new GatewayLimits(
          4,
          1000,
          8,
          Duration.ofSeconds(20),
          Duration.ofMillis(100),
          20,
          4096,
          1200,
          Duration.ofSeconds(2));
  private static final String TOKEN = "0123456789abcdef";
  private static final AccessTokens TOKENS =
      AccessTokens.of(
          Map.of(
              TokenHash.of("reads"),
              new Caller("look", Role.READER, Set.of()),
              TokenHash.of(TOKEN),
              Caller.OWNER));
  private static final String BEARER = "authorization: Bearer " + TOKEN + "\r\n";
  private static final String CLOSE = "connection: close\r\n";

  @TempDir private Path folder;
  private final AtomicBoolean healthy = new AtomicBoolean(true);
  private HttpGateway gateway;

  /// The first request takes long, because classes are loaded, and must not count as a slow one.
  @BeforeAll
  static void loadClasses(@TempDir Path own) throws IOException {
    var config = new GatewayConfig(0, own.resolve("s"), TOKENS, GatewayLimits.DEFAULT);
    try (var first = HttpGateway.start(config, () -> true, List.of());
        var connection = RawConnection.unix(first.socket())) {
      assertThat(connection.send("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").answer())
          .contains("\"ok\"");
    }
  }

  @BeforeEach
  void start() {
    gateway = started(folder.resolve("http.sock"));
  }

  private HttpGateway started(Path socket) {
    return HttpGateway.start(
        new GatewayConfig(0, socket, TOKENS, TIGHT),
        healthy::get,
        List.of(new EchoRoute("/echo", 1000), new EchoRoute("/below/", 10), new FullRoute()));
  }

  /// Finds direct memory used up before it is asked for an answer.
  private record FullRoute() implements Route {

    @Override
    public String prefix() {
      return "/full";
    }

    @Override
    public long mostBytes() {
      return 0;
    }

    @Override
    public void check(Caller caller) {
      throw new OutOfMemoryError("Cannot reserve 1 bytes of direct buffer memory (limit: 1)");
    }

    @Override
    public CompletableFuture<HttpReply> answer(HttpCall call) {
      return CompletableFuture.completedFuture(HttpReply.empty(204));
    }
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private String host() {
    return "host: 127.0.0.1:" + gateway.port() + "\r\n";
  }

  private String tcp(String request) throws IOException {
    try (var connection = RawConnection.tcp(gateway.port())) {
      return connection.send(request).rest();
    }
  }

  private String unix(String request) throws IOException {
    try (var connection = RawConnection.unix(gateway.socket())) {
      return connection.send(request).rest();
    }
  }

  private String get(String path, String headers) throws IOException {
    return tcp("GET " + path + " HTTP/1.1\r\n" + headers + CLOSE + "\r\n");
  }

  @Test
  void request_withHostAndToken_isAnsweredOverBothTransports() throws IOException {
    String head = "POST /echo?a=1 HTTP/1.1\r\n";
    String tail = BEARER + CLOSE + "x-more: yes\r\ncontent-length: 3\r\n\r\nabc";

    assertThat(tcp(head + host() + tail))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("POST /echo false 3 yes");
    assertThat(unix(head + "host: localhost\r\n" + tail)).endsWith("POST /echo true 3 yes");
    assertThat(gateway.refused()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host: example.com\r\n",
        "host: example.com:PORT\r\n",
        "host: 127.0.0.1\r\n",
        "host: 127.0.0.1:1\r\n",
        "host: localhost.example.com:PORT\r\n",
        "host: 127.0.0.1:PORT.example.com\r\n",
        "host: 0.0.0.0:PORT\r\n"
      })
  void host_thatIsNotOurs_isRefusedBeforeTheToken(String header) throws IOException {
    String reply = get("/echo", header.replace("PORT", "" + gateway.port()));

    assertThat(reply).startsWith("HTTP/1.1 4").doesNotContain("oken").contains("{\"error\":");
    assertThat(get("/health", header.replace("PORT", "" + gateway.port())))
        .doesNotContain("\"ok\"");
  }

  @Test
  void host_wrong_isCounted() throws IOException {
    assertThat(get("/health", "host: example.com:" + gateway.port() + "\r\n"))
        .startsWith("HTTP/1.1 403 ");

    assertThat(gateway.refused()).containsOnlyKeys(RefusalReason.HOST);
  }

  @Test
  void host_twoOrNone_isRefused() throws IOException {
    assertThat(get("/health", host() + "host: example.com\r\n")).startsWith("HTTP/1.1 400 ");
    assertThat(get("/health", "")).startsWith("HTTP/1.1 400 ");
    assertThat(tcp("GET /health HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void target_withForeignAuthority_isRefused() throws IOException {
    assertThat(get("http://example.com/health", host())).startsWith("HTTP/1.1 4");
    assertThat(get("http://127.0.0.1:" + gateway.port() + "/health", host()))
        .startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "LOCALHOST"})
  void host_ours_isAccepted(String name) throws IOException {
    String header = "host: " + name + ":" + gateway.port() + "\r\n";

    assertThat(get("/health", header)).startsWith("HTTP/1.1 200 ");
    assertThat(get("/health", header + "origin: http://" + name + ":" + gateway.port() + "\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "http://example.com",
        "https://127.0.0.1:PORT",
        "http://127.0.0.1",
        "http://localhost:PORT",
        "http://127.0.0.1:PORT\r\norigin: http://example.com"
      })
  void page_ofAnotherOrigin_cannotPost(String origin) throws IOException {
    String reply =
        tcp(
            "POST /echo HTTP/1.1\r\n"
                + host()
                + "origin: "
                + origin.replace("PORT", "" + gateway.port())
                + "\r\n"
                + BEARER
                + CLOSE
                + "content-type: text/plain\r\ncontent-length: 2\r\n\r\n{}");

    assertThat(reply).startsWith("HTTP/1.1 403 ").doesNotContain("access-control");
    assertThat(gateway.refused()).containsOnlyKeys(RefusalReason.ORIGIN);
  }

  @Test
  void preflight_isNeverAllowed() throws IOException {
    String reply =
        tcp(
            "OPTIONS /echo HTTP/1.1\r\n"
                + host()
                + "origin: http://example.com\r\naccess-control-request-method: POST\r\n"
                + CLOSE
                + "\r\n");

    assertThat(reply).startsWith("HTTP/1.1 403 ").doesNotContainIgnoringCase("access-control");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "authorization: Bearer\r\n",
        "authorization: Bearer wrong\r\n",
        "authorization: Basic 0123456789abcdef\r\n",
        "authorization: Bearer 0123456789abcde\r\n",
        "authorization: Bearer 0123456789abcdef0\r\n",
        "authorization: Bearer 0123456789abcdef\r\nauthorization: Bearer 0123456789abcdef\r\n",
        "authorization: Bearer x\r\nauthorization: Bearer 0123456789abcdef\r\n"
      })
  void token_missingWrongOrRepeated_isRefusedOverBothTransports(String header) throws IOException {
    assertThat(get("/echo", host() + header))
        .startsWith("HTTP/1.1 401 ")
        .contains("\"code\":\"UNAUTHENTICATED\"");
    assertThat(unix("GET /none HTTP/1.1\r\nhost: localhost\r\n" + header + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 401 ");
    assertThat(gateway.refused()).containsEntry(RefusalReason.TOKEN, 2L);
  }

  @Test
  void token_whereNoneMayBeSentOverTcp_isTakenOverTheSocketOnly() throws IOException {
    gateway.close();
    gateway =
        HttpGateway.start(
            new GatewayConfig(
                0, folder.resolve("http.sock"), TOKENS, /* bearerOverTcp= */ false, TIGHT),
            healthy::get,
            List.of(new EchoRoute("/echo", 1000)));
    assertThat(get("/echo", host() + BEARER))
        .startsWith("HTTP/1.1 401 ")
        .contains("auth.bearer_over_tcp = refused");
    assertThat(get("/health", host())).startsWith("HTTP/1.1 200 ");
    assertThat(unix("GET /echo HTTP/1.1\r\nhost: localhost\r\n" + BEARER + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void route_thatTheTokenDoesNotAllow_isForbidden() throws IOException {
    assertThat(get("/echo", host() + "authorization: Bearer reads\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .contains("\"code\":\"FORBIDDEN\"")
        .contains("the token look is a reader token; this needs a token with the role writer");
    assertThat(gateway.refused()).containsEntry(RefusalReason.TOKEN, 1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory-workspace", "Memory-Timeout-Ms", "Mcp-Method", "content-type"})
  void header_sentTwice_isRefusedOverBothTransports(String name) throws IOException {
    String twice = BEARER + name + ": a\r\n" + name.toUpperCase(Locale.ROOT) + ": b\r\n";
    String refusal =
        "\"message\":\""
            + name.toLowerCase(Locale.ROOT)
            + ": is sent several times; send it once\"";

    assertThat(get("/echo", host() + twice)).startsWith("HTTP/1.1 400 ").contains(refusal);
    assertThat(unix("GET /echo HTTP/1.1\r\nhost: localhost\r\n" + twice + CLOSE + "\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains(refusal);
    assertThat(get("/echo", host() + BEARER + name + ": a\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void queryParameter_sentTwice_isRefused() throws IOException {
    assertThat(get("/echo?workspace=a&workspace=b", host() + BEARER))
        .startsWith("HTTP/1.1 400 ")
        .contains("query: has a parameter several times; send each once");
  }

  @Test
  void health_needsNoToken_andSaysOnlyWhetherItServes() throws IOException {
    assertThat(get("/health", host())).endsWith("\r\n\r\n{\"status\":\"ok\"}\n");
    healthy.set(false);
    assertThat(get("/health", host()))
        .startsWith("HTTP/1.1 503 ")
        .endsWith("\r\n\r\n{\"status\":\"not serving\"}\n");
  }

  @Test
  void path_ofNoRoute_isNotFound() throws IOException {
    for (String path :
        List.of(
            "/",
            "/echo/x",
            "/ech",
            "/below",
            "/echo%2fx",
            "/below%2fx",
            "/below/x%2fy",
            "/below/x%25y",
            "/below/x%5Cy",
            "/below/../other")) {
      assertThat(get(path, host() + BEARER))
          .as(path)
          .startsWith("HTTP/1.1 4")
          .contains("{\"error\":");
    }
    assertThat(get("/below/x%20y", host() + BEARER)).contains("GET /below/x y false");
  }

  @Test
  void method_thatIsNotServed_isRefused() throws IOException {
    for (String method : List.of("OPTIONS", "HEAD", "FOO", "TRACE")) {
      assertThat(tcp(method + " /echo HTTP/1.1\r\n" + host() + BEARER + CLOSE + "\r\n"))
          .as(method)
          .startsWith("HTTP/1.1 405 ");
    }
  }

  @Test
  void body_overTheRoutesLimit_isRefused_declaredOrNot() throws IOException {
    String declared = "content-length: 11\r\n\r\n12345678901";
    String chunked = "transfer-encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n";
    for (String body : List.of(declared, chunked)) {
      assertThat(tcp("POST /below/x HTTP/1.1\r\n" + host() + BEARER + body))
          .startsWith("HTTP/1.1 413 ")
          .contains("larger than 10 bytes");
    }
    assertThat(gateway.refused()).containsEntry(RefusalReason.SIZE, 2L);
    assertThat(
            tcp(
                "POST /below/x HTTP/1.1\r\n"
                    + host()
                    + BEARER
                    + CLOSE
                    + "content-length: 10\r\n\r\n1234567890"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void requests_beyondTheRateOfAConnection_areRefusedLater_andOtherConnectionsAreServed()
      throws IOException {
    String request = "GET /health HTTP/1.1\r\nhost: localhost\r\n";
    try (var own =
            HttpGateway.start(
                new GatewayConfig(0, folder.resolve("own.sock"), TOKENS, TIGHT.withRequests(2)),
                healthy::get,
                List.of());
        var first = RawConnection.unix(own.socket());
        var second = RawConnection.unix(own.socket())) {
      String answer = first.send(request + "\r\n").answer();
      assertThat(answer).startsWith("HTTP/1.1 200 ");
      // The server forgets two requests a second, and these are sent one after the other.
      long sent = 0;
      for (int i = 0; i < 100 && answer.startsWith("HTTP/1.1 200 "); i++) {
        sent = System.nanoTime();
        answer = first.send(request + "\r\n").answer();
      }
      // A client that sends again at once is slowed down.
      assertThat(System.nanoTime() - sent).isGreaterThan(Duration.ofMillis(400).toNanos());
      assertThat(answer)
          .startsWith("HTTP/1.1 429 ")
          .contains("Retry-After: 1", "limits.client_calls");
      assertThat(own.refused()).containsOnlyKeys(RefusalReason.RATE);
      assertThat(second.send(request + CLOSE + "\r\n").answer()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void query_thatCannotBeDecoded_isAnswered() throws IOException {
    assertThat(
            tcp(
                "POST /echo?a=%zz HTTP/1.1\r\n"
                    + host()
                    + BEARER
                    + CLOSE
                    + "content-length: 3\r\n\r\nabc"))
        .startsWith("HTTP/1.1 400 ");
  }

  @Test
  void body_withoutRoomBesideOthers_isRefusedUntilTheyAreAnswered() throws IOException {
    String small =
        "POST /echo HTTP/1.1\r\n"
            + host()
            + BEARER
            + CLOSE
            + "content-length: 500\r\n\r\n"
            + "x".repeat(500);
    int attempts = 0;
    while (!isRefusedBesideALargeOne(small)) {
      attempts++;
      assertThat(attempts).isLessThan(100);
    }
    assertThat(gateway.refused()).containsKey(RefusalReason.MEMORY);
    assertThat(tcp(small)).startsWith("HTTP/1.1 200 ");
  }

  /// On a busy machine the small body may be read first. Then it is answered, and the large one may
  /// be the one that is refused.
  private boolean isRefusedBesideALargeOne(String small) throws IOException {
    try (var large = RawConnection.tcp(gateway.port())) {
      large.send(
          "POST /echo HTTP/1.1\r\n"
              + host()
              + BEARER
              + "content-length: 900\r\n\r\n"
              + "x".repeat(800));
      String answer = tcp(small);
      if (answer.startsWith("HTTP/1.1 200 ")) {
        return false;
      }
      assertThat(answer)
          .startsWith("HTTP/1.1 429 ")
          .contains("Retry-After: 1", "QUEUE_FULL", "leave no room");
      return completed(large).startsWith("HTTP/1.1 200 ");
    }
  }

  /// @return empty when the connection was closed, because its body was refused
  private static String completed(RawConnection large) {
    try {
      return large.send("x".repeat(100)).answer();
    } catch (IOException e) {
      return "";
    }
  }

  /// Of the answers, two fit into the bound.
  private record LargeRoute(String prefix, long mostBytes) implements Route {

    @Override
    public void check(Caller caller) {}

    @Override
    public CompletableFuture<HttpReply> answer(HttpCall call) {
      return CompletableFuture.completedFuture(
          HttpReply.text(200, "text/plain", "x".repeat(8 << 20)));
    }
  }

  @Test
  void answers_thatAreNotRead_takeABoundedAmountOfMemory_untilTheyAreCutOff() throws IOException {
    var limits =
        new GatewayLimits(
            16,
            1000,
            8,
            Duration.ofSeconds(2),
            Duration.ofMillis(100),
            100,
            1,
            20 << 20,
            Duration.ofSeconds(2));
    String request = "GET /large HTTP/1.1\r\nhost: localhost\r\n" + BEARER;
    try (var own =
            HttpGateway.start(
                new GatewayConfig(0, folder.resolve("own.sock"), TOKENS, limits),
                healthy::get,
                List.of(new LargeRoute("/large", 10)));
        var first = RawConnection.unix(own.socket());
        var second = RawConnection.unix(own.socket())) {
      first.send(request + "\r\n").begun();
      second.send(request + "\r\n").begun();
      String third = once(own, request);
      assertThat(third)
          .startsWith("HTTP/1.1 429 ")
          .contains("Retry-After: 1", "too many answers are not read yet");
      do {
        third = once(own, request);
      } while (third.startsWith("HTTP/1.1 429 "));
      assertThat(third).startsWith("HTTP/1.1 200 ").hasSizeGreaterThan(8 << 20);
      assertThat(first.rest()).hasSizeLessThan(8 << 20);
    }
  }

  private static String once(HttpGateway gateway, String request) throws IOException {
    try (var connection = RawConnection.unix(gateway.socket())) {
      return connection.send(request + CLOSE + "\r\n").rest();
    }
  }

  @Test
  void body_thatDoesNotArrive_endsTheConnection() throws IOException {
    try (var connection = RawConnection.tcp(gateway.port())) {
      connection.send(
          "POST /echo HTTP/1.1\r\n" + host() + BEARER + "content-length: 500\r\n\r\nabc");

      assertThat(connection.rest()).doesNotContain("200");
    }
    assertThat(gateway.refused()).containsEntry(RefusalReason.SLOW, 1L);
  }

  @Test
  void head_thatNeverEnds_endsTheConnection() throws IOException {
    try (var connection = RawConnection.unix(gateway.socket())) {
      connection.send("GET /health HT");

      assertThat(connection.rest()).isEmpty();
    }
    assertThat(gateway.refused()).containsEntry(RefusalReason.SLOW, 1L);
  }

  @Test
  void connections_beyondTheLimit_waitUntilIdleOnesAreClosed() throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        open.add(RawConnection.tcp(gateway.port()));
      }
      try (var other = RawConnection.unix(gateway.socket())) {
        other.send("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assertThat(other.answer()).contains("\"ok\"");
      }
      open.getLast().send("GET /health HTTP/1.1\r\n" + host() + CLOSE + "\r\n");

      assertThat(open.getLast().rest()).contains("\"ok\"");
      assertThat(open.getFirst().rest()).isEmpty();
      assertThat(gateway.refused()).containsOnlyKeys(RefusalReason.CONNECTIONS);
    } finally {
      for (RawConnection connection : open) {
        connection.close();
      }
    }
  }

  @Test
  void connection_ofManyRequests_staysOpen() throws IOException {
    try (var connection = RawConnection.unix(gateway.socket())) {
      for (int i = 0; i < 100; i++) {
        connection.send(
            "POST /echo HTTP/1.1\r\nhost: localhost\r\n" + BEARER + "content-length: 2\r\n\r\n{}");
        assertThat(connection.answer()).endsWith("POST /echo true 2 -");
      }
    }
    assertThat(gateway.refused()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /\\..\\x HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /health HTTP/1.1\r\nhost: a b\r\n\r\n",
        "GET /health HTTP/1.1\r\nhost\r\n\r\n",
        "GET /health HTTP/1.1\r\n bad: x\r\n\r\n",
        "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        "CONNECT example.com:1 HTTP/1.1\r\nhost: example.com:1\r\nconnection: close\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void request_thatIsNone_showsNothingOfTheServer(String request) throws IOException {
    String reply = unix(request);

    assertThat(reply).doesNotContainIgnoringCase("jetty").doesNotContain("org.", "at ", "<html");
    if (!reply.isEmpty()) {
      assertThat(reply).matches("(?s)HTTP/1.1 (4|505).*\\{\"error\":\\{\"code\":.*");
    }
  }

  @Test
  void head_thatIsTooLarge_isRefusedInJson() throws IOException {
    String reply = get("/echo", host() + BEARER + "x-more: " + "x".repeat(20_000) + "\r\n");

    assertThat(reply).startsWith("HTTP/1.1 431 ").contains("{\"error\":");
  }

  @Test
  void route_thatFails_showsNothingOfIt() throws IOException {
    for (String path : List.of("/echo?throw=1", "/echo?error=1")) {
      assertThat(get(path, host() + BEARER))
          .startsWith("HTTP/1.1 500 ")
          .contains("\"code\":\"INTERNAL\"")
          .doesNotContain("secret", "/home", "dev.agentmemory", "Exception");
    }
  }

  @Test
  void route_thatRefusesForNow_saysWhenToTryAgain() throws IOException {
    assertThat(get("/echo?busy=1", host() + BEARER))
        .startsWith("HTTP/1.1 429 ")
        .contains("Retry-After: 1\r\n", "\"code\":\"QUEUE_FULL\"");
  }

  @Test
  void route_withoutDirectMemory_saysWhenToTryAgain() throws IOException {
    assertThat(get("/echo?exhausted=1", host() + BEARER))
        .startsWith("HTTP/1.1 429 ")
        .contains("Retry-After: 1\r\n", "\"code\":\"QUEUE_FULL\"", "-XX:MaxDirectMemorySize")
        .doesNotContain("incident");
  }

  @Test
  void check_withoutDirectMemory_saysWhenToTryAgain() throws IOException {
    assertThat(get("/full", host() + BEARER))
        .startsWith("HTTP/1.1 429 ")
        .contains("\"code\":\"QUEUE_FULL\"", "-XX:MaxDirectMemorySize")
        .doesNotContain("incident");
  }

  @Test
  void route_thatFails_isLoggedWithTheIdOfItsRequest() throws IOException {
    var logger = (Logger) LoggerFactory.getLogger(ErrorReplies.class);
    var lines =
        new ListAppender<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent line) {
            // Of the thread that writes, which is not that of the test.
            line.prepareForDeferredProcessing();
            super.append(line);
          }
        };
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.ERROR);
    try {
      assertThat(get("/echo?throw=1", host() + BEARER)).startsWith("HTTP/1.1 500 ");
      assertThat(get("/echo?throw=1", host() + BEARER)).startsWith("HTTP/1.1 500 ");
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
    assertThat(lines.list)
        .extracting(line -> line.getMDCPropertyMap().get("request_id"))
        .containsExactly("h1", "h2");
  }

  @Test
  void answers_nameNoServer() throws IOException {
    assertThat(get("/health", host())).doesNotContainIgnoringCase("server:");
  }

  @Test
  void socket_isForItsOwnerOnly_andGoesAwayAtTheStop() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(gateway.socket())))
        .isEqualTo("rw-------");

    gateway.close();

    assertThat(gateway.socket()).doesNotExist();
  }

  @Test
  void socket_leftBehind_isReplaced() throws IOException {
    Path stale = folder.resolve("stale.sock");
    try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(stale));
    }
    assertThat(stale).exists();

    try (HttpGateway second = started(stale);
        var connection = RawConnection.unix(second.socket())) {
      assertThat(connection.send("GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").answer())
          .contains("\"ok\"");
    }
  }

  @Test
  void file_inPlaceOfTheSocket_isKept() throws IOException {
    Path file = Files.writeString(folder.resolve("file.sock"), "mine");

    assertThatThrownBy(() -> started(file)).isInstanceOf(MemoryException.class);

    assertThat(file).hasContent("mine");
  }

  @Test
  void port_inUse_isRefusedWithARemedy() {
    var config = new GatewayConfig(gateway.port(), folder.resolve("other.sock"), TOKENS, TIGHT);

    assertThatThrownBy(() -> HttpGateway.start(config, healthy::get, List.of()))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("http.port");
    assertThat(folder.resolve("other.sock")).doesNotExist();
  }
}
