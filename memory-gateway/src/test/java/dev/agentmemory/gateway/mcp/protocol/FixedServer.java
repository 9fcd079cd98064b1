package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// An endpoint with tools that need no memory.
final class FixedServer {

  static final String MODERN = "2026-07-28";

  final McpEndpoint endpoint =
      new McpEndpoint("/mcp", 1 << 20, new SplittableRandom(1), features());

  private static McpFeatures features() {
    Map<String, Object> text = Json.object("type", "string");
    McpTool search =
        new McpTool(
            "memory_search",
            Json.object(
                "description",
                "Searches",
                "inputSchema",
                Json.object("type", "object", "properties", Json.object("query", text))),
            request ->
                McpOutcome.Result.text("found " + request.object("arguments").get("query"), false)
                    .now());
    McpTool repeated =
        new McpTool(
            "repeated",
            Json.object(
                "inputSchema",
                Json.object(
                    "type",
                    "object",
                    "properties",
                    Json.object(
                        "region", Json.object("type", "string", "x-mcp-header", "Region")))),
            _ -> McpOutcome.Result.text("ok", false).now());
    McpTool broken =
        new McpTool(
            "broken",
            Json.object("inputSchema", Json.object("type", "object")),
            _ -> {
              throw new IllegalStateException("secret of /home/dev");
            });
    McpTool progress =
        new McpTool(
            "progress",
            Json.object("inputSchema", Json.object("type", "object")),
            _ ->
                new McpOutcome.Result(
                        Map.of("content", List.of()),
                        List.of(Json.object("jsonrpc", "2.0", "method", "notifications/progress")))
                    .now());
    McpTool sampling =
        new McpTool(
            "sampling",
            Json.object("inputSchema", Json.object("type", "object")),
            request ->
                request.clientCan("sampling")
                    ? McpOutcome.Result.text("sampled", false).now()
                    : new McpOutcome.Refusal(McpError.missingCapability(List.of("sampling")))
                        .now());
    var resources =
        new McpResources(
            List.of(),
            List.of(),
            request ->
                new McpOutcome.Refusal(McpError.noResource(request.text("uri").orElse(""))).now());
    return McpFeatures.of(
        new McpFeatures.Identity("fixed", "Fixed", "1"),
        "Say nothing.",
        List.of(search, repeated, broken, progress, sampling),
        resources);
  }

  HttpReply post(String body, Map<String, String> headers) {
    return call("POST", body, headers);
  }

  HttpReply post(Object message, Map<String, String> headers) {
    return post(Json.write(message), headers);
  }

  HttpReply call(String method, String body, Map<String, String> headers) {
    Map<String, String> lower = new HashMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    return endpoint
        .answer(
            new HttpCall(
                method,
                "/mcp",
                Map.of(),
                name -> Optional.ofNullable(lower.get(name.toLowerCase(Locale.ROOT))),
                body.getBytes(StandardCharsets.UTF_8),
                false))
        .join();
  }

  /// A request of revision 2026-07-28 with all that it needs.
  HttpReply modern(String method, Map<String, Object> params) {
    return post(request(method, params), headers(method, params));
  }

  static Map<String, String> headers(String method, Map<String, Object> params) {
    Map<String, String> headers = new HashMap<>();
    headers.put("MCP-Protocol-Version", MODERN);
    headers.put("Mcp-Method", method);
    Object name = params.getOrDefault("name", params.get("uri"));
    if (name != null) {
      headers.put("Mcp-Name", String.valueOf(name));
    }
    return headers;
  }

  static Map<String, Object> request(String method, Map<String, Object> params) {
    Map<String, Object> all = new HashMap<>(params);
    all.putIfAbsent(
        "_meta",
        Json.object(
            "io.modelcontextprotocol/protocolVersion",
            MODERN,
            "io.modelcontextprotocol/clientCapabilities",
            Map.of()));
    return Json.object("jsonrpc", "2.0", "id", 7, "method", method, "params", all);
  }

  static Map<String, Object> body(HttpReply reply) {
    return McpRequest.object(Json.read(reply.body()).orElseThrow());
  }

  static Map<String, Object> result(HttpReply reply) {
    return McpRequest.object(body(reply).get("result"));
  }

  static Map<String, Object> error(HttpReply reply) {
    return McpRequest.object(body(reply).get("error"));
  }
}
