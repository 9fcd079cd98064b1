package dev.agentmemory.gateway.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.WorkspaceName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Streams of changes over a real server.
@Timeout(60)
class ChangesRouteTest {

  private static final String OWNER = "0123456789abcdef";
  private static final AccessTokens TOKENS =
      AccessTokens.of(
          Map.of(
              TokenHash.of(OWNER),
              Caller.OWNER,
              TokenHash.of("reads"),
              new Caller("look", Role.READER, Set.of()),
              TokenHash.of("shop"),
              new Caller("shop", Role.READER, Set.of(new WorkspaceName("shop")))));

  @TempDir private Path folder;
  private final ScriptedFeed feed = new ScriptedFeed();
  private ChangesRoute route = new ChangesRoute(System::nanoTime, feed, StreamLimits.DEFAULT);
  private @Nullable HttpGateway started;

  private void start(StreamLimits limits) {
    start(limits, GatewayLimits.DEFAULT);
  }

  private void start(StreamLimits limits, GatewayLimits server) {
    route = new ChangesRoute(System::nanoTime, feed, limits);
    started =
        HttpGateway.start(
            new GatewayConfig(0, folder.resolve("http.sock"), TOKENS, server),
            () -> true,
            List.of(route));
  }

  private HttpGateway gateway() {
    return Objects.requireNonNull(started, "start the server first");
  }

  @AfterEach
  void stop() {
    route.close();
    gateway().close();
  }

  private static ChangedItems session(String id) {
    return new ChangedItems(
        Set.of(id), "01ARZ3NDEKTSV4RRFFQ69G5FAV", Set.of(), Set.of(), Set.of(), Set.of(), false);
  }

  private static StreamLimits limits(
      int streams, int ofToken, Duration heartbeat, Duration unread) {
    return new StreamLimits(streams, ofToken, Duration.ofMillis(10), heartbeat, unread);
  }

  /// A client that reads line by line.
  private final class Client implements AutoCloseable {

    private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    private final BufferedReader in;

    Client(String target, String token, String... headers) throws IOException {
      channel.connect(UnixDomainSocketAddress.of(gateway().socket()));
      String request =
          "GET /api/v1/changes%s HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer %s\r\n%s\r\n"
              .formatted(
                  target,
                  token,
                  List.of(headers).stream()
                      .map(header -> header + "\r\n")
                      .collect(Collectors.joining()));
      Channels.newOutputStream(channel).write(request.getBytes(StandardCharsets.UTF_8));
      in =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    }

    /// Reads up to a line that begins so; fails at the end.
    String until(String start) throws IOException {
      String line = in.readLine();
      while (line != null && !line.startsWith(start)) {
        line = in.readLine();
      }
      assertThat(line).as("a line that begins with " + start).isNotNull();
      return line;
    }

    /// Everything up to the end, which a reset is, too.
    String rest() {
      return in.lines().collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Test
  void change_isTold_withThePositionBehindIt() throws IOException {
    start(limits(4, 4, Duration.ofSeconds(30), Duration.ofSeconds(10)));
    try (var client = new Client("", OWNER)) {
      assertThat(client.until("HTTP/1.1")).contains("200");
      client.until("retry: 1000");
      client.until("event: ready");
      client.until("id: 0");
      feed.add(session("s\n1"));
      feed.add(
          new ChangedItems(
              Set.of(),
              "",
              Set.of("toc:year:2026"),
              Set.of("m"),
              Set.of("rollup"),
              Set.of("consumers"),
              true));

      client.until("event: log");
      assertThat(client.until("data: "))
          .contains("{\"sessions\":[\"s\\n1\"]", "\"lastEventId\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"}");
      client.until("event: toc");
      assertThat(client.until("data: "))
          .isEqualTo("data: {\"nodes\":[\"toc:year:2026\"],\"more\":true}");
      client.until("event: memories");
      client.until("event: jobs");
      client.until("event: status");
      assertThat(client.until("data: "))
          .isEqualTo("data: {\"parts\":[\"consumers\"],\"more\":true}");
      client.until("id: 2");
    }
    Await.until(
        "the reader is closed",
        () -> {
          feed.add(session("s"));
          return feed.readers() == 0;
        });
  }

  @Test
  void stream_isResumedBehindAPosition_orReset() throws IOException {
    start(limits(4, 4, Duration.ofSeconds(30), Duration.ofSeconds(10)));
    feed.add(session("first"));
    feed.add(session("second"));
    try (var client = new Client("?after=0", OWNER, "last-event-id: 1")) {
      client.until("event: ready");
      assertThat(client.until("data: {\"sessions\"")).contains("second").doesNotContain("first");
      client.until("id: 2");
    }
    try (var client = new Client("?after=0", OWNER)) {
      assertThat(client.until("data: {\"sessions\"")).contains("first", "second");
    }
    try (var client = new Client("?after=other", OWNER)) {
      client.until("event: reset");
      client.until("id: 2");
    }
  }

  @Test
  void client_thatNothingIsToldTo_getsAHeartbeat() throws IOException {
    start(limits(4, 4, Duration.ofMillis(20), Duration.ofSeconds(10)));
    try (var client = new Client("", "reads")) {
      client.until("event: ready");
      client.until(":");
      client.until(":");
    }
  }

  @Test
  void client_thatDoesNotRead_isCut() throws IOException {
    start(limits(4, 4, Duration.ofSeconds(30), Duration.ofMillis(200)));
    Set<String> many =
        IntStream.range(0, 100).mapToObj(i -> "s".repeat(5000) + i).collect(Collectors.toSet());
    try (var client = new Client("", OWNER)) {
      client.until("event: ready");
      Await.until(
          "the client is cut",
          () -> {
            feed.add(new ChangedItems(many, "", Set.of(), Set.of(), Set.of(), Set.of(), false));
            return feed.readers() == 0;
          });
      // The chunk that ends a body in order is missing.
      assertThat(client.rest()).doesNotEndWith("\n0\n");
    }
    assertThat(route.open()).isZero();
  }

  @Test
  void part_thatFindsNoRoom_cutsItsClient() throws IOException {
    GatewayLimits usual = GatewayLimits.DEFAULT;
    start(
        limits(4, 4, Duration.ofSeconds(30), Duration.ofSeconds(10)),
        new GatewayLimits(
            usual.connections(),
            usual.requests(),
            usual.threads(),
            usual.idle(),
            usual.sweep(),
            usual.graceSweeps(),
            usual.leastBytes(),
            /* bodyBytes= */ 1000,
            usual.drain()));
    try (var client = new Client("", OWNER)) {
      client.until("event: ready");
      feed.add(session("short"));
      client.until("event: log");
      feed.add(session("s".repeat(1000)));
      assertThat(client.rest()).doesNotContain("sss");
    }
    Await.until("the reader is closed", () -> feed.readers() == 0);
  }

  @Test
  void streams_beyondTheLimits_areRefused() throws IOException {
    start(limits(2, 1, Duration.ofSeconds(30), Duration.ofSeconds(10)));
    try (var one = new Client("", OWNER);
        var other = new Client("", "reads")) {
      one.until("event: ready");
      other.until("event: ready");
      try (var third = new Client("", "reads", "connection: close")) {
        assertThat(third.rest()).startsWith("HTTP/1.1 429 ").contains("QUEUE_FULL");
      }
      try (var third = new Client("", "shop", "memory-workspace: shop", "connection: close")) {
        assertThat(third.rest()).startsWith("HTTP/1.1 429 ");
      }
    }
    Await.until(
        "there is room",
        () -> {
          feed.add(session("s"));
          return route.open() == 0;
        });
    try (var next = new Client("", OWNER)) {
      next.until("event: ready");
    }
  }

  @Test
  void request_thatIsWrong_isRefused() throws IOException {
    start(StreamLimits.DEFAULT);
    String close = "connection: close";
    try (var client = new Client("?since=1", OWNER, close)) {
      assertThat(client.rest()).startsWith("HTTP/1.1 400 ").contains("\"field\":\"since\"");
    }
    try (var client = new Client("", "wrong", close)) {
      assertThat(client.rest()).startsWith("HTTP/1.1 401 ");
    }
    try (var client = new Client("", "shop", close)) {
      assertThat(client.rest()).startsWith("HTTP/1.1 403 ");
    }
    try (var client = new Client("", OWNER, "memory-workspace: No", close)) {
      assertThat(client.rest()).startsWith("HTTP/1.1 400 ").contains("memory-workspace");
    }
    assertThat(feed.readers()).isZero();
  }

  @Test
  void close_endsStreamsInOrder_andRefusesOthers() throws IOException {
    start(limits(4, 4, Duration.ofSeconds(30), Duration.ofSeconds(10)));
    try (var client = new Client("", OWNER)) {
      client.until("event: ready");
      Await.until("it is open", () -> route.open() == 1);
      route.close();
      gateway().close();
      assertThat(client.rest()).endsWith("\n0\n");
    }
    assertThat(feed.readers()).isZero();
  }

  @Test
  void streams_holdNoThread() throws IOException {
    start(limits(60, 60, Duration.ofSeconds(30), Duration.ofSeconds(10)));
    var clients = new ArrayList<Client>();
    try {
      for (int i = 0; i < 60; i++) {
        clients.add(new Client("", OWNER));
      }
      for (Client client : clients) {
        client.until("event: ready");
      }
      // More than the server has threads.
      assertThat(clients.size()).isGreaterThan(GatewayLimits.DEFAULT.threads());
    } finally {
      for (Client client : clients) {
        client.close();
      }
    }
  }
}
