package dev.agentmemory.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpBridgeTest {

  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
  private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\"memory_é\","
          + "\"arguments\":{\"name\":\"x\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
          + "\"2026-07-28\"}}}";

  @TempDir private Path folder;

  private final List<String> log = new ArrayList<>();
  private Optional<String> version = Optional.empty();
  private Waiting waiting = Waiting.DEFAULT;

  private Path socket() {
    return folder.resolve("http.sock");
  }

  private List<String> bridged(McpBridge.DaemonSocket daemon, String input) throws Exception {
    var out = new ByteArrayOutputStream();
    new McpBridge(daemon, Map.of("memory-workspace", "project"), waiting, log::add)
        .run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), out);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private McpBridge.DaemonSocket daemon() {
    return found(() -> new McpBridge.Address(socket(), Optional.of("secret")));
  }

  private McpBridge.DaemonSocket found(Supplier<McpBridge.Address> address) {
    return new McpBridge.DaemonSocket() {
      @Override
      public McpBridge.Address find() {
        return address.get();
      }

      @Override
      public Optional<String> otherVersion() {
        return version;
      }

      @Override
      public void pause() {}
    };
  }

  @Test
  void message_isPassedWithWorkspaceAndToken_andAnsweredInOneLine() throws Exception {
    try (var server = new SocketServer(socket(), List.of(SocketServer.answer(200, PONG + "\n")))) {
      assertThat(bridged(daemon(), PING + "\n")).containsExactly(PONG + " ");
      assertThat(server.requests().getFirst())
          .startsWith("POST /mcp HTTP/1.1\r\n")
          .contains("memory-workspace: project\r\n", "authorization: Bearer secret\r\n")
          .doesNotContain("mcp-method")
          .endsWith("\r\n\r\n" + PING);
    }
  }

  @Test
  void messageOf2026_getsTheHeadersThatRepeatIt() throws Exception {
    try (var server = new SocketServer(socket(), List.of(SocketServer.answer(200, PONG)))) {
      bridged(daemon(), CALL);
      assertThat(server.requests().getFirst())
          .contains(
              "mcp-protocol-version: 2026-07-28\r\n",
              "mcp-method: tools/call\r\n",
              "mcp-name: =?base64?bWVtb3J5X8Op?=\r\n");
    }
  }

  @Test
  void daemonOfAnotherVersion_thatServesNoMcp_isNamedWithTheRemedy() throws Exception {
    version = Optional.of("the daemon has version 0.0.9");
    String missing = "{\"error\":{\"code\":\"NOT_FOUND\"}}";
    try (var _ = new SocketServer(socket(), List.of(SocketServer.answer(404, missing)))) {
      assertThat(bridged(daemon(), PING).getFirst())
          .contains("status 404", "; the daemon has version 0.0.9");
    }
  }

  @Test
  void answerInChunks_isPutTogether() throws Exception {
    String chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\n"
            + PONG.substring(0, 5)
            + "\r\n%x;x=y\r\n%s\r\n0\r\n\r\n".formatted(PONG.length() - 5, PONG.substring(5));
    try (var _ = new SocketServer(socket(), List.of(chunked))) {
      assertThat(bridged(daemon(), PING)).containsExactly(PONG);
    }
  }

  @Test
  void notification_hasNoAnswer() throws Exception {
    try (var _ = new SocketServer(socket(), List.of(SocketServer.answer(202, "")))) {
      assertThat(
              bridged(
                  daemon(), "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\n"))
          .isEmpty();
    }
  }

  @Test
  void errorOfTheProtocol_isPassedOn_otherStatusesBecomeOne() throws Exception {
    String refusal =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}";
    try (var _ =
        new SocketServer(
            socket(),
            List.of(
                SocketServer.answer(404, refusal),
                SocketServer.answer(401, "{\"error\":\"token\"}"),
                SocketServer.answer(503, "")))) {
      List<String> lines = bridged(daemon(), PING + "\n" + PING + "\n" + PING + "\n");
      assertThat(lines.get(0)).isEqualTo(refusal);
      assertThat(lines.get(1)).contains("\"id\":1", "-32603", "status 401");
      assertThat(lines.get(2)).contains("\"id\":1", "-32603", "status 503");
      assertThat(log).hasSizeGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void daemonThatEndsWithinAMessage_isAskedAgain_butNoToolIsCalledTwice() throws Exception {
    try (var server =
        new SocketServer(
            socket(),
            List.of(
                "",
                SocketServer.answer(200, PONG),
                "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"))) {
      List<String> lines = bridged(daemon(), PING + "\n" + CALL + "\n");
      assertThat(lines.get(0)).isEqualTo(PONG);
      assertThat(lines.get(1)).contains("\"id\":\"a\"", "the daemon ended during this call");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void daemonThatCannotBeStarted_isAnErrorOfTheRequest_andTheNextOneTriesAgain() throws Exception {
    McpBridge.DaemonSocket none =
        found(() -> {
          throw new MemoryException(ErrorCode.UNREACHABLE, "no daemon \"runs\"");
        });
    List<String> lines = bridged(none, PING + "\n{\"method\":\"notifications/x\"}\n" + PING);
    assertThat(lines).hasSize(2).allMatch(line -> line.contains("no daemon \\\"runs\\\""));
  }

  @Test
  void daemonAtAnotherSocketAfterARestart_isFound() throws Exception {
    Path later = folder.resolve("later.sock");
    try (var _ = new SocketServer(later, List.of(SocketServer.answer(200, PONG)))) {
      List<Path> places = new ArrayList<>(List.of(socket(), later));
      McpBridge.DaemonSocket moving =
          found(() -> new McpBridge.Address(places.removeFirst(), Optional.empty()));
      assertThat(bridged(moving, CALL)).containsExactly(PONG);
    }
  }

  @Test
  void daemonThatNeverListens_isAnErrorAfterSomeAttempts() throws Exception {
    assertThat(bridged(daemon(), PING).getFirst()).contains("\"id\":1", "does not answer");
  }

  @Test
  void daemonThatAcceptsAndNeverAnswers_isAnErrorOfTheRequest() throws Exception {
    waiting = new Waiting(Duration.ofMillis(300), Duration.ofHours(1));
    try (var silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      silent.bind(UnixDomainSocketAddress.of(socket()));
      List<String> lines = bridged(daemon(), PING + "\n" + CALL + "\n");
      assertThat(lines.get(0)).contains("\"id\":1", "-32603", "does not answer");
      assertThat(lines.get(1)).contains("\"id\":\"a\"", "-32603", "had an effect");
    }
  }

  @Test
  void lineThatIsTooLong_isRefusedAndNotKept_andTheNextIsPassed() throws Exception {
    String large = "{\"x\":\"" + "y".repeat(MessageLines.MOST_BYTES) + "\"}";
    try (var server = new SocketServer(socket(), List.of(SocketServer.answer(200, PONG)))) {
      List<String> lines = bridged(daemon(), large + "\n" + PING + "\n");
      assertThat(lines.get(0)).contains("\"id\":null", "-32600");
      assertThat(lines.get(1)).isEqualTo(PONG);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void whatIsNoMessage_isPassedOn_theDaemonSaysWhatIsWrong() throws Exception {
    String refusal = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700}}";
    try (var _ = new SocketServer(socket(), List.of(SocketServer.answer(400, refusal)))) {
      assertThat(bridged(daemon(), "nonsense")).containsExactly(refusal);
    }
  }
}
