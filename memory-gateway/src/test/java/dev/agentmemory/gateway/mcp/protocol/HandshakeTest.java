package dev.agentmemory.gateway.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.gateway.http.HttpReply;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What five agents really send, message by message. A recorded answer that is an error may be a
/// result now, and the other way round only where the method is not served.
class HandshakeTest {

  private final FixedServer server = new FixedServer();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claude-code.http.modern",
        "claude-code.http.legacy-server",
        "claude-code.stdio",
        "codex-cli.http",
        "codex-cli.stdio",
        "copilot-cli.http",
        "gemini-cli.http",
        "opencode.http"
      })
  void everyMessage_isAnswered(String recording) throws IOException {
    List<?> messages = read(recording);
    assertThat(messages).isNotEmpty();
    for (Object one : messages) {
      Map<String, Object> message = McpRequest.object(one);
      Map<String, Object> request = McpRequest.object(message.get("request"));
      Map<String, String> headers = new HashMap<>();
      McpRequest.object(message.get("headers"))
          .forEach((name, value) -> headers.put(name, String.valueOf(value)));
      if (request.isEmpty()) {
        assertThat(server.call(String.valueOf(message.get("http")), "", headers).status())
            .isEqualTo(405);
      } else {
        // Over stdio the bridge adds the headers.
        addedByTheBridge(request).forEach(headers::putIfAbsent);
        assertAnswered(request, server.post(request, headers));
      }
    }
  }

  private static Map<String, String> addedByTheBridge(Map<String, Object> request) {
    Map<String, Object> params = McpRequest.object(request.get("params"));
    Object version =
        McpRequest.object(params.get("_meta")).get("io.modelcontextprotocol/protocolVersion");
    return version == null
        ? Map.of()
        : FixedServer.headers(String.valueOf(request.get("method")), params);
  }

  private static void assertAnswered(Map<String, Object> request, HttpReply reply) {
    String method = String.valueOf(request.get("method"));
    if (!request.containsKey("id")) {
      assertThat(reply.status()).as(method).isEqualTo(202);
      return;
    }
    assertThat(FixedServer.body(reply)).as(method).containsEntry("id", request.get("id"));
    if (method.equals("subscriptions/listen")) {
      assertThat(FixedServer.error(reply)).containsEntry("code", McpError.METHOD_NOT_FOUND);
      return;
    }
    assertThat(reply.status()).as(method).isEqualTo(200);
    Map<String, Object> result = FixedServer.result(reply);
    Map<String, Object> params = McpRequest.object(request.get("params"));
    switch (method) {
      case "initialize" ->
          assertThat(result).containsEntry("protocolVersion", params.get("protocolVersion"));
      case "server/discover" -> assertThat(result).containsKey("supportedVersions");
      case "tools/call" -> assertThat(String.valueOf(result.get("content"))).contains("found");
      case "tools/list" -> assertThat(result).containsKey("tools");
      case "resources/list" -> assertThat(result).containsKey("resources");
      default -> assertThat(result).isNotNull();
    }
  }

  private static List<?> read(String recording) throws IOException {
    try (InputStream in =
        HandshakeTest.class.getResourceAsStream("/handshakes/" + recording + ".json")) {
      return (List<?>) Json.read(Objects.requireNonNull(in).readAllBytes()).orElseThrow();
    }
  }
}
