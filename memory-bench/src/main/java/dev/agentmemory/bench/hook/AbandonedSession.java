package dev.agentmemory.bench.hook;

import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.mcp.McpClient;
import dev.agentmemory.gateway.mcp.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// Sessions of MCP clients that are killed: each searches once and never says goodbye.
final class AbandonedSession {

  private static final String REVISION = "2025-11-25";
  private static final Map<String, Object> SEARCH =
      Map.of("name", "memory_search", "arguments", Map.of("query", "how do we retry requests"));

  private AbandonedSession() {}

  /// By `memory mcp`. The pipes to it are closed, which the system does with those of an agent that
  /// is killed.
  static void bridge(Path launcher, Path data) throws IOException {
    var builder =
        new ProcessBuilder(
                launcher.toString(), "mcp", "--data", data.toString(), "--workspace", "default")
            .redirectError(Redirect.DISCARD);
    Process process = Children.start(builder);
    try (OutputStream in = process.getOutputStream();
        var out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      ask(in, out, "initialize", initialize());
      ask(in, out, "tools/call", SEARCH);
    }
  }

  private static void ask(
      OutputStream in, BufferedReader out, String method, Map<String, Object> params)
      throws IOException {
    String request =
        Json.write(Json.object("jsonrpc", "2.0", "id", 1, "method", method, "params", params));
    in.write((request + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
    String answer = out.readLine();
    if (answer == null || !answer.contains("\"result\"")) {
      throw new IllegalStateException("the bridge answered " + method + " with " + answer);
    }
  }

  private static Map<String, Object> initialize() {
    return Json.object(
        "protocolVersion",
        REVISION,
        "capabilities",
        Map.of(),
        "clientInfo",
        Json.object("name", "abandoned", "version", "1"));
  }

  /// By HTTP.
  ///
  /// @return its connection, which the caller keeps open or closes
  static McpClient http(DaemonHttp daemon) throws IOException {
    var client = new McpClient(daemon, "default");
    client.initialized("initialize", initialize());
    client.initialized("tools/call", SEARCH);
    return client;
  }
}
