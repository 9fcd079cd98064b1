package dev.agentmemory.bench.mcp;

import dev.agentmemory.gateway.mcp.protocol.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A client on one connection that stays open. It does nothing but write bytes and read bytes, so
/// that the server is measured.
final class McpClient implements AutoCloseable {

  private static final String MODERN = "2026-07-28";

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final DaemonHttp daemon;
  private final String workspace;

  McpClient(DaemonHttp daemon, String workspace) throws IOException {
    this.daemon = daemon;
    this.workspace = workspace;
    socket = new Socket(InetAddress.getLoopbackAddress(), daemon.port());
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    out = socket.getOutputStream();
  }

  /// Sends a request of a client of 2025 and waits for the body of the answer.
  String initialized(String method, Map<String, Object> params) throws IOException {
    return send(body(method, params), "");
  }

  /// Sends a request of a client of 2026 and waits for the body of the answer.
  String stateless(String method, Map<String, Object> params) throws IOException {
    var all = new LinkedHashMap<>(params);
    all.put(
        "_meta",
        Json.object(
            "io.modelcontextprotocol/protocolVersion",
            MODERN,
            "io.modelcontextprotocol/clientCapabilities",
            Map.of()));
    String name = params.containsKey("name") ? "mcp-name: " + params.get("name") + "\r\n" : "";
    return send(
        body(method, all),
        "mcp-protocol-version: " + MODERN + "\r\nmcp-method: " + method + "\r\n" + name);
  }

  private static byte[] body(String method, Map<String, Object> params) {
    return Json.write(Json.object("jsonrpc", "2.0", "id", 1, "method", method, "params", params))
        .getBytes(StandardCharsets.UTF_8);
  }

  private String send(byte[] body, String headers) throws IOException {
    String head =
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:"
            + daemon.port()
            + "\r\nauthorization: Bearer "
            + daemon.token()
            + "\r\nmemory-workspace: "
            + workspace
            + "\r\ncontent-type: application/json\r\naccept: application/json\r\ncontent-length: "
            + body.length
            + "\r\n"
            + headers
            + "\r\n";
    byte[] all = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(StandardCharsets.ISO_8859_1), 0, all, 0, head.length());
    System.arraycopy(body, 0, all, head.length(), body.length);
    out.write(all);
    out.flush();
    return answer();
  }

  private String answer() throws IOException {
    int length = -1;
    String status = line();
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring("content-length:".length()).strip());
      }
    }
    String body = new String(in.readNBytes(Math.max(0, length)), StandardCharsets.UTF_8);
    if (!status.contains(" 200 ") || body.contains("\"isError\":true")) {
      throw new IllegalStateException(status + " " + body);
    }
    return body;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n') {
      line.append((char) next);
      next = in.read();
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
