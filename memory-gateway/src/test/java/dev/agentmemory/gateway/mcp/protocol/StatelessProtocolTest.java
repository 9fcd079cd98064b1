package dev.agentmemory.gateway.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.gateway.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Revision 2026-07-28.
class StatelessProtocolTest {

  private final FixedServer server = new FixedServer();

  private static void assertRefused(HttpReply reply, int status, int code) {
    assertThat(reply.status()).isEqualTo(status);
    assertThat(FixedServer.error(reply)).containsEntry("code", code);
    assertThat(FixedServer.body(reply)).containsEntry("id", 7);
  }

  @Test
  void discover_tellsRevisionsCapabilitiesAndWhoItIs() {
    Map<String, Object> result = FixedServer.result(server.modern("server/discover", Map.of()));
    assertThat(result)
        .containsEntry("resultType", "complete")
        .containsEntry("instructions", "Say nothing.")
        .containsEntry("cacheScope", "private")
        .containsKey("ttlMs");
    assertThat((List<?>) result.get("supportedVersions")).first().isEqualTo("2026-07-28");
    assertThat(McpRequest.object(result.get("capabilities")).keySet())
        .containsExactly("tools", "resources", "prompts");
    assertThat(McpRequest.object(result.get("_meta")).get("io.modelcontextprotocol/serverInfo"))
        .asString()
        .contains("fixed");
  }

  @Test
  void lists_sayHowLongTheyMayBeKept_andResultsThatTheyAreComplete() {
    for (String method :
        List.of("tools/list", "resources/list", "resources/templates/list", "prompts/list")) {
      assertThat(FixedServer.result(server.modern(method, Map.of())))
          .as(method)
          .containsEntry("resultType", "complete")
          .containsEntry("cacheScope", "private")
          .containsKey("ttlMs");
    }
    Map<String, Object> called =
        FixedServer.result(
            server.modern(
                "tools/call", Map.of("name", "memory_search", "arguments", Map.of("query", "x"))));
    assertThat(called).containsEntry("resultType", "complete").doesNotContainKey("ttlMs");
    assertThat(String.valueOf(called.get("content"))).contains("found x");
  }

  @Test
  void request_withoutItsMetadata_isRefused() {
    Map<String, String> headers = FixedServer.headers("tools/list", Map.of());
    for (Map<String, Object> meta :
        List.<Map<String, Object>>of(
            Map.of(),
            Map.of("io.modelcontextprotocol/protocolVersion", "2026-07-28"),
            Map.of("io.modelcontextprotocol/clientCapabilities", Map.of()))) {
      assertRefused(
          server.post(FixedServer.request("tools/list", Map.of("_meta", meta)), headers),
          400,
          McpError.INVALID_PARAMS);
    }
  }

  @Test
  void headers_thatDisagreeWithTheBody_areRefused() {
    Map<String, Object> params = Map.of("name", "memory_search", "arguments", Map.of());
    Map<String, Object> request = FixedServer.request("tools/call", params);
    for (Map<String, String> wrong :
        List.of(
            Map.of("Mcp-Method", "tools/list"),
            Map.of("Mcp-Method", "TOOLS/CALL"),
            Map.of("Mcp-Name", "other"),
            Map.of("MCP-Protocol-Version", "2025-11-25"))) {
      Map<String, String> headers = FixedServer.headers("tools/call", params);
      headers.putAll(wrong);
      assertRefused(server.post(request, headers), 400, McpError.HEADER_MISMATCH);
    }
    for (String absent : List.of("Mcp-Method", "Mcp-Name", "MCP-Protocol-Version")) {
      Map<String, String> headers = FixedServer.headers("tools/call", params);
      headers.remove(absent);
      assertRefused(server.post(request, headers), 400, McpError.HEADER_MISMATCH);
    }
    Map<String, String> spaced = FixedServer.headers("tools/call", params);
    spaced.put("mcp-name", "  memory_search ");
    spaced.remove("Mcp-Name");
    assertThat(server.post(request, spaced).status()).isEqualTo(200);
  }

  @Test
  void argument_thatAHeaderRepeats_hasToAgree() {
    Map<String, Object> params = Map.of("name", "repeated", "arguments", Map.of("region", "Hello"));
    Map<String, Object> request = FixedServer.request("tools/call", params);
    Map<String, String> headers = FixedServer.headers("tools/call", params);
    assertRefused(server.post(request, headers), 400, McpError.HEADER_MISMATCH);
    for (String good : List.of("Hello", "=?base64?SGVsbG8=?=")) {
      headers.put("Mcp-Param-Region", good);
      assertThat(server.post(request, headers).status()).as(good).isEqualTo(200);
    }
    for (String bad : List.of("hello", "=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=")) {
      headers.put("Mcp-Param-Region", bad);
      assertRefused(server.post(request, headers), 400, McpError.HEADER_MISMATCH);
    }
  }

  @Test
  void revision_thatIsNotServed_isRefusedWithThoseThatAre() {
    Map<String, String> headers = FixedServer.headers("server/discover", Map.of());
    headers.put("MCP-Protocol-Version", "v999.0.0");
    HttpReply reply =
        server.post(
            FixedServer.request(
                "server/discover",
                Map.of(
                    "_meta",
                    Map.of(
                        "io.modelcontextprotocol/protocolVersion",
                        "v999.0.0",
                        "io.modelcontextprotocol/clientCapabilities",
                        Map.of()))),
            headers);
    assertRefused(reply, 400, McpError.UNSUPPORTED_VERSION);
    Map<String, Object> data = McpRequest.object(FixedServer.error(reply).get("data"));
    assertThat(data).containsEntry("requested", "v999.0.0");
    assertThat((List<?>) data.get("supported")).first().isEqualTo("2026-07-28");
  }

  @Test
  void headerOfARevisionThatIsNotServed_isRefusedWithThoseThatAre() {
    HttpReply reply =
        server.post(
            Json.object("jsonrpc", "2.0", "id", 7, "method", "tools/list"),
            Map.of("MCP-Protocol-Version", "2024-11-05"));
    assertRefused(reply, 400, McpError.UNSUPPORTED_VERSION);
  }

  @Test
  void methods_thatAreUnknownOrRemoved_areNotFound() {
    for (String method :
        List.of(
            "initialize",
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
            "subscriptions/listen",
            "no/such")) {
      assertRefused(server.modern(method, Map.of()), 404, McpError.METHOD_NOT_FOUND);
    }
  }

  @Test
  void capability_thatTheClientLacks_isNamed() {
    HttpReply reply =
        server.modern("tools/call", Map.of("name", "sampling", "arguments", Map.of()));
    assertRefused(reply, 400, McpError.MISSING_CLIENT_CAPABILITY);
    assertThat(String.valueOf(FixedServer.error(reply).get("data")))
        .isEqualTo("{requiredCapabilities={sampling={}}}");
  }

  @Test
  void resource_thatDoesNotExist_isRefusedWithItsUri() {
    HttpReply reply = server.modern("resources/read", Map.of("uri", "test://none"));
    assertRefused(reply, 400, McpError.INVALID_PARAMS);
    assertThat(String.valueOf(FixedServer.error(reply).get("data"))).contains("test://none");
  }

  @Test
  void tool_thatDoesNotExist_isRefusedWithThoseThatDo() {
    HttpReply reply = server.modern("tools/call", Map.of("name", "nope"));
    assertRefused(reply, 400, McpError.INVALID_PARAMS);
    assertThat(String.valueOf(FixedServer.error(reply).get("message"))).contains("memory_search");
  }

  @Test
  void failure_ofATool_showsNothingOfTheProgram() {
    HttpReply reply = server.modern("tools/call", Map.of("name", "broken"));
    assertRefused(reply, 500, McpError.INTERNAL_ERROR);
    assertThat(new String(reply.body(), StandardCharsets.UTF_8))
        .doesNotContain("secret", "Exception", "/home", "dev.agentmemory");
  }

  @Test
  void notification_isTakenWithoutAnAnswer() {
    Map<String, Object> message =
        Json.object("jsonrpc", "2.0", "method", "notifications/cancelled", "params", Map.of());
    HttpReply reply =
        server.post(message, FixedServer.headers("notifications/cancelled", new HashMap<>()));
    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void bodies_thatAreNoRequest_getOurError() {
    Map<String, String> headers = FixedServer.headers("tools/list", Map.of());
    for (String body : List.of("", "{", "null", "nonsense", "{} {}")) {
      HttpReply reply = server.post(body, headers);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(FixedServer.error(reply)).containsEntry("code", McpError.PARSE_ERROR);
    }
    for (String body : List.of("[]", "1", "\"x\"", "{}", "{\"id\":{},\"method\":\"x\"}")) {
      HttpReply reply = server.post(body, headers);
      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(FixedServer.error(reply)).containsEntry("code", McpError.INVALID_REQUEST);
    }
  }
}
