package dev.agentmemory.bench.mcp;

import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpError;
import dev.agentmemory.gateway.mcp.protocol.McpFeatures;
import dev.agentmemory.gateway.mcp.protocol.McpMethod;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpRequest;
import dev.agentmemory.gateway.mcp.protocol.McpResources;
import dev.agentmemory.gateway.mcp.protocol.McpTool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The tools, resources and prompts that the conformance suite calls by fixed names, on our
/// endpoint. They are what the suite's descriptions ask for and nothing else.
final class SuiteFixtures {

  static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

  private static final String WAVE =
      "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

  private static final Map<String, Object> NO_ARGUMENTS = Json.object("type", "object");
  private static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";

  private SuiteFixtures() {}

  static McpFeatures features() {
    var further = new LinkedHashMap<String, McpMethod>();
    further.put("prompts/list", list("prompts", SuitePrompts.listed()));
    further.put("prompts/get", new McpMethod(SuitePrompts::get, Optional.of("name"), false));
    further.put("completion/complete", new McpMethod(_ -> completed(), Optional.empty(), false));
    for (String name :
        List.of("logging/setLevel", "resources/subscribe", "resources/unsubscribe")) {
      further.put(name, new McpMethod(_ -> empty(), Optional.empty(), false));
    }
    return McpFeatures.of(
            new McpFeatures.Identity("fixtures", "Fixtures of the conformance suite", "1"),
            "For tests.",
            tools(),
            resources())
        .with(
            Json.object(
                "completions", Map.of(),
                "logging", Map.of(),
                "resources", Json.object("subscribe", true)),
            further);
  }

  private static McpMethod list(String field, List<Map<String, Object>> items) {
    return new McpMethod(
        _ -> new McpOutcome.Result(Json.object(field, items)).now(), Optional.empty(), true);
  }

  private static CompletableFuture<McpOutcome> empty() {
    return new McpOutcome.Result(Map.of()).now();
  }

  private static CompletableFuture<McpOutcome> completed() {
    return new McpOutcome.Result(
            Json.object(
                "completion",
                Json.object("values", List.of("paris", "park"), "total", 2, "hasMore", false)))
        .now();
  }

  private static List<McpTool> tools() {
    List<McpTool> tools = new ArrayList<>();
    tools.add(content("test_simple_text", text("This is a simple text response for testing.")));
    tools.add(content("test_image_content", image()));
    tools.add(
        content(
            "test_audio_content",
            Json.object("type", "audio", "data", WAVE, "mimeType", "audio/wav")));
    tools.add(
        content(
            "test_embedded_resource",
            resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.")));
    tools.add(
        content(
            "test_multiple_content_types",
            text("Multiple content types test:"),
            image(),
            resource(
                "test://mixed-content-resource",
                "application/json",
                "{\"test\":\"data\",\"value\":123}")));
    tools.add(
        tool(
            "test_error_handling",
            _ ->
                McpOutcome.Result.text(
                    "This tool intentionally returns an error for testing", true)));
    tools.add(tool("test_tool_with_progress", SuiteFixtures::progressing));
    tools.add(tool("test_tool_with_logging", SuiteFixtures::reporting));
    tools.add(tool("test_logging_tool", SuiteFixtures::logging));
    tools.add(tool("test_missing_capability", SuiteFixtures::sampling));
    tools.add(content("test_streaming_elicitation", text("Nothing was asked.")));
    tools.add(
        new McpTool(
            "test_headers",
            Json.object(
                "description",
                "An argument that a header repeats",
                "inputSchema",
                Json.object(
                    "type",
                    "object",
                    "properties",
                    Json.object(
                        "region", Json.object("type", "string", "x-mcp-header", "Region")))),
            _ -> McpOutcome.Result.text("ok", false).now()));
    tools.add(
        new McpTool(
            "json_schema_2020_12_tool",
            Json.object(
                "description",
                "Tool with JSON Schema 2020-12 features",
                "inputSchema",
                SuiteSchema.SCHEMA),
            _ -> McpOutcome.Result.text("ok", false).now()));
    tools.addAll(SuiteInputs.tools());
    return tools;
  }

  private static McpTool content(String name, Object... items) {
    return tool(name, _ -> new McpOutcome.Result(Json.object("content", List.of(items))));
  }

  static McpTool tool(String name, Function<McpRequest, McpOutcome> work) {
    return new McpTool(
        name,
        Json.object("description", "Fixture " + name, "inputSchema", NO_ARGUMENTS),
        request -> work.apply(request).now());
  }

  static Map<String, Object> text(String text) {
    return Json.object("type", "text", "text", text);
  }

  static Map<String, Object> image() {
    return Json.object("type", "image", "data", PIXEL, "mimeType", "image/png");
  }

  static Map<String, Object> resource(String uri, String type, String text) {
    return Json.object(
        "type", "resource", "resource", Json.object("uri", uri, "mimeType", type, "text", text));
  }

  private static McpOutcome progressing(McpRequest request) {
    Object token = request.meta().get("progressToken");
    List<Map<String, Object>> before = new ArrayList<>();
    for (int done : List.of(0, 50, 100)) {
      if (token != null) {
        before.add(
            Json.object(
                "jsonrpc", "2.0",
                "method", "notifications/progress",
                "params", Json.object("progressToken", token, "progress", done, "total", 100)));
      }
    }
    return new McpOutcome.Result(Json.object("content", List.of(text("done"))), before);
  }

  /// Clients of 2025 set the level for all calls.
  private static McpOutcome reporting(McpRequest request) {
    if (!request.revision().initializes()) {
      return logging(request);
    }
    List<Map<String, Object>> before =
        Stream.of("Tool execution started", "Tool processing data", "Tool execution completed")
            .map(text -> message("info", text))
            .toList();
    return new McpOutcome.Result(Json.object("content", List.of(text("logged"))), before);
  }

  private static Map<String, Object> message(Object level, String text) {
    return Json.object(
        "jsonrpc", "2.0",
        "method", "notifications/message",
        "params", Json.object("level", level, "data", text));
  }

  private static McpOutcome logging(McpRequest request) {
    Object level = request.meta().get(LOG_LEVEL);
    List<Map<String, Object>> before = new ArrayList<>();
    if (level != null) {
      before.add(message(level, "working"));
    }
    return new McpOutcome.Result(Json.object("content", List.of(text("logged"))), before);
  }

  private static McpOutcome sampling(McpRequest request) {
    return request.clientCan("sampling")
        ? McpOutcome.Result.text("The client can sample.", false)
        : new McpOutcome.Refusal(McpError.missingCapability(List.of("sampling")));
  }

  private static McpResources resources() {
    return new McpResources(
        List.of(
            listed("test://static-text", "static-text", "text/plain"),
            listed("test://static-binary", "static-binary", "image/png")),
        List.of(
            Json.object(
                "uriTemplate", "test://template/{id}/data",
                "name", "template",
                "description", "Fixture",
                "mimeType", "application/json")),
        request -> read(request.text("uri").orElse("")).now());
  }

  private static Map<String, Object> listed(String uri, String name, String type) {
    return Json.object("uri", uri, "name", name, "description", "Fixture", "mimeType", type);
  }

  private static McpOutcome read(String uri) {
    return switch (uri) {
      case "test://static-text" ->
          contents(
              Json.object(
                  "uri", uri,
                  "mimeType", "text/plain",
                  "text", "This is the content of the static text resource."));
      case "test://static-binary" ->
          contents(Json.object("uri", uri, "mimeType", "image/png", "blob", PIXEL));
      default -> template(uri);
    };
  }

  private static McpOutcome template(String uri) {
    var parts = Pattern.compile("test://template/([^/]+)/data").matcher(uri);
    if (!parts.matches()) {
      return new McpOutcome.Refusal(McpError.noResource(uri));
    }
    String id = parts.group(1);
    String text =
        Json.write(Json.object("id", id, "templateTest", true, "data", "Data for ID: " + id));
    return contents(Json.object("uri", uri, "mimeType", "application/json", "text", text));
  }

  private static McpOutcome contents(Map<String, Object> item) {
    return new McpOutcome.Result(Json.object("contents", List.of(item)));
  }
}
