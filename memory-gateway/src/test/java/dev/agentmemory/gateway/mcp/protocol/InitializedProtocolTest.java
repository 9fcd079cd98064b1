package dev.agentmemory.gateway.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.gateway.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The revisions of 2025.
class InitializedProtocolTest {

  private final FixedServer server = new FixedServer();

  private HttpReply request(String method, Map<String, Object> params) {
    return server.post(
        Json.object("jsonrpc", "2.0", "id", "a", "method", method, "params", params), Map.of());
  }

  @Test
  void initialize_answersWithTheRevisionOfTheClient() {
    for (String revision : List.of("2025-11-25", "2025-06-18", "2025-03-26")) {
      HttpReply reply = request("initialize", Map.of("protocolVersion", revision));
      assertThat(FixedServer.result(reply))
          .containsEntry("protocolVersion", revision)
          .containsEntry("instructions", "Say nothing.");
      assertThat(reply.headers().get("Mcp-Session-Id")).matches("[0-9a-f]{32}");
    }
  }

  @Test
  void initialize_withAnotherRevision_offersTheLatestOf2025() {
    for (String revision : List.of("2024-11-05", "2026-07-28", "?")) {
      assertThat(FixedServer.result(request("initialize", Map.of("protocolVersion", revision))))
          .containsEntry("protocolVersion", "2025-11-25");
    }
  }

  @Test
  void initialize_withoutARevision_isRefused() {
    assertThat(FixedServer.error(request("initialize", Map.of())))
        .containsEntry("code", McpError.INVALID_PARAMS);
  }

  @Test
  void request_afterARestart_isAnsweredAsBefore() {
    Map<String, Object> call =
        Json.object(
            "jsonrpc",
            "2.0",
            "id",
            1,
            "method",
            "tools/call",
            "params",
            Map.of("name", "memory_search", "arguments", Map.of("query", "x"), "_meta", Map.of()));
    HttpReply reply =
        new FixedServer()
            .post(
                call, Map.of("Mcp-Session-Id", "of-before", "MCP-Protocol-Version", "2025-06-18"));
    assertThat(String.valueOf(FixedServer.result(reply).get("content"))).contains("found x");
  }

  @Test
  void ping_isAnswered_notificationsAndResponsesAreTaken() {
    assertThat(FixedServer.result(request("ping", Map.of()))).isEmpty();
    assertThat(
            server
                .post(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"), Map.of())
                .status())
        .isEqualTo(202);
    assertThat(
            server.post(Map.of("jsonrpc", "2.0", "id", 1, "result", Map.of()), Map.of()).status())
        .isEqualTo(202);
  }

  @Test
  void methodsOfOtherRevisions_areNotFound() {
    for (String method : List.of("server/discover", "logging/setLevel", "no/such")) {
      HttpReply reply = request(method, Map.of());
      assertThat(reply.status()).isEqualTo(200);
      assertThat(FixedServer.error(reply)).containsEntry("code", McpError.METHOD_NOT_FOUND);
    }
  }

  @Test
  void resource_thatDoesNotExist_hasTheCodeOf2025() {
    assertThat(FixedServer.error(request("resources/read", Map.of("uri", "test://none"))))
        .containsEntry("code", McpError.RESOURCE_NOT_FOUND);
  }

  @Test
  void results_haveNoFieldsOf2026() {
    assertThat(FixedServer.result(request("tools/list", Map.of()))).containsOnlyKeys("tools");
  }

  @Test
  void lists_areInOneOrder() {
    byte[] first = request("tools/list", Map.of()).body();
    assertThat(request("tools/list", Map.of()).body()).isEqualTo(first);
    assertThat(new String(first, StandardCharsets.UTF_8))
        .matches("(?s).*memory_search.*repeated.*broken.*");
  }

  @Test
  void notificationsBeforeAResult_areStreamedToClientsThatTakeAStream() {
    Map<String, Object> call =
        Json.object(
            "jsonrpc",
            "2.0",
            "id",
            1,
            "method",
            "tools/call",
            "params",
            Map.of("name", "progress"));
    HttpReply streamed = server.post(call, Map.of("Accept", "application/json, text/event-stream"));
    assertThat(streamed.contentType()).isEqualTo("text/event-stream");
    assertThat(new String(streamed.body(), StandardCharsets.UTF_8))
        .matches("(?s)event: message\ndata: .*progress.*\n\nevent: message\ndata: .*result.*\n\n");
    assertThat(server.post(call, Map.of("Accept", "application/json")).contentType())
        .isEqualTo("application/json");
  }

  @Test
  void batch_isForRevision20250326Only() {
    String batch =
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
            + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},"
            + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]";
    HttpReply reply = server.post(batch, Map.of());
    assertThat((List<?>) Json.read(reply.body()).orElseThrow()).hasSize(2);
    assertThat(server.post(batch, Map.of("MCP-Protocol-Version", "2025-11-25")).status())
        .isEqualTo(400);
    String many = "[" + "{\"method\":\"x\"},".repeat(60) + "{\"method\":\"x\"}]";
    assertThat(server.post(many, Map.of()).status()).isEqualTo(400);
  }

  @Test
  void streamAndDeletion_areRefusedWithWhatIsAllowed() {
    for (String method : List.of("GET", "DELETE", "PUT")) {
      HttpReply reply = server.call(method, "", Map.of());
      assertThat(reply.status()).isEqualTo(405);
      assertThat(reply.headers()).containsEntry("allow", "POST");
    }
  }
}
