package dev.agentmemory.bench.mcp;

import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.HttpConnection;
import dev.agentmemory.gateway.mcp.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// A client of the MCP endpoint on one connection that stays open.
public final class McpClient implements AutoCloseable {

  private static final String MODERN = "2026-07-28";

  private final HttpConnection connection;
  private final String workspace;

  public McpClient(DaemonHttp daemon, String workspace) throws IOException {
    this.connection = new HttpConnection(daemon);
    this.workspace = workspace;
  }

  /// Sends a request of a client of 2025 and waits for the body of the answer.
  public String initialized(String method, Map<String, Object> params) throws IOException {
    return send(method, params, Map.of());
  }

  /// Sends a request of a client of 2026 and waits for the body of the answer.
  public String stateless(String method, Map<String, Object> params) throws IOException {
    var all = new LinkedHashMap<>(params);
    all.put(
        "_meta",
        Json.object(
            "io.modelcontextprotocol/protocolVersion",
            MODERN,
            "io.modelcontextprotocol/clientCapabilities",
            Map.of()));
    var headers = new LinkedHashMap<String, String>();
    headers.put("mcp-protocol-version", MODERN);
    headers.put("mcp-method", method);
    if (params.containsKey("name")) {
      headers.put("mcp-name", String.valueOf(params.get("name")));
    }
    return send(method, all, headers);
  }

  private String send(String method, Map<String, Object> params, Map<String, String> headers)
      throws IOException {
    var all = new LinkedHashMap<>(headers);
    all.put("memory-workspace", workspace);
    all.put("accept", "application/json");
    String request =
        Json.write(Json.object("jsonrpc", "2.0", "id", 1, "method", method, "params", params));
    String body = connection.send("POST", "/mcp", all, request.getBytes(StandardCharsets.UTF_8));
    if (body.contains("\"isError\":true")) {
      throw new IllegalStateException(body);
    }
    return body;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
