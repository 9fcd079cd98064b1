package dev.agentmemory.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpEndpoint;
import dev.agentmemory.gateway.mcp.protocol.McpFeatures;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpResources;
import dev.agentmemory.gateway.mcp.protocol.McpTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The MCP endpoint behind the real server.
class McpOverSocketsTest {

  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

  @TempDir private Path folder;
  private HttpGateway gateway;

  @BeforeEach
  void start() {
    McpTool failing =
        new McpTool(
            "failing",
            Json.object("inputSchema", Json.object("type", "object")),
            _ -> {
              throw new IllegalStateException("of /home/dev");
            });
    McpFeatures features =
        McpFeatures.of(
            new McpFeatures.Identity("x", "X", "1"),
            "Nothing.",
            List.of(failing),
            new McpResources(
                List.of(), List.of(), _ -> McpOutcome.Result.text("none", false).now()));
    var endpoint = new McpEndpoint("/mcp", 1 << 16, new SplittableRandom(1), features);
    gateway =
        HttpGateway.start(
            new GatewayConfig(
                0,
                folder.resolve("http.sock"),
                AccessTokens.single("secret"),
                GatewayLimits.DEFAULT),
            () -> true,
            List.of(endpoint));
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private String post(String headers, String body) {
    return "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:"
        + gateway.port()
        + "\r\nconnection: close\r\ncontent-length: "
        + body.length()
        + "\r\n"
        + headers
        + "\r\n"
        + body;
  }

  private String overTcp(String request) throws IOException {
    try (var connection = RawConnection.tcp(gateway.port())) {
      return connection.send(request).rest();
    }
  }

  @Test
  void request_withTheToken_isAnsweredOnBothTransports() throws IOException {
    String request = post("authorization: Bearer secret\r\n", PING);
    assertThat(overTcp(request)).contains(" 200 ", "\"result\":{}");
    try (var connection = RawConnection.unix(gateway.socket())) {
      assertThat(connection.send(request).rest()).contains(" 200 ", "\"result\":{}");
    }
  }

  @Test
  void request_withoutTheToken_orOfAnotherOrigin_doesNotReachTheEndpoint() throws IOException {
    assertThat(overTcp(post("", PING))).contains(" 401 ").doesNotContain("result");
    String foreign = "authorization: Bearer secret\r\norigin: http://evil.example\r\n";
    assertThat(overTcp(post(foreign, PING))).contains(" 403 ").doesNotContain("result");
  }

  @Test
  void failures_showNothingOfTheProgram() throws IOException {
    String token = "authorization: Bearer secret\r\n";
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"failing\"}}";
    for (String body : List.of(call, "nonsense", "[]", "{\"id\":[]}")) {
      assertThat(overTcp(post(token, body)))
          .contains("\"error\"")
          .doesNotContain("Exception", "dev.agentmemory", "/home", "\tat ");
    }
    String get = post(token, "").replaceFirst("^POST", "GET");
    assertThat(overTcp(get)).contains(" 405 ", "POST");
  }
}
