package dev.agentmemory.gateway.mcp.protocol;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Why a request got no result.
///
/// @param code that of JSON-RPC or of the protocol
/// @param message for a person; never the text of an exception that is not ours
/// @param data what the protocol defines for the code; empty if nothing
/// @param status of HTTP, for revision 2026-07-28; earlier ones answer a valid request with 200
public record McpError(int code, String message, Map<String, Object> data, int status) {

  public static final int PARSE_ERROR = -32700;
  public static final int INVALID_REQUEST = -32600;
  public static final int METHOD_NOT_FOUND = -32601;
  public static final int INVALID_PARAMS = -32602;
  public static final int INTERNAL_ERROR = -32603;
  public static final int RESOURCE_NOT_FOUND = -32002;
  public static final int HEADER_MISMATCH = -32020;
  public static final int MISSING_CLIENT_CAPABILITY = -32021;
  public static final int UNSUPPORTED_VERSION = -32022;

  public McpError {
    data = Map.copyOf(data);
  }

  static McpError unreadable() {
    return new McpError(PARSE_ERROR, "Parse error: the body is not JSON", Map.of(), 400);
  }

  static McpError invalidRequest(String message) {
    return new McpError(INVALID_REQUEST, "Invalid request: " + message, Map.of(), 400);
  }

  static McpError methodNotFound(String method) {
    return new McpError(METHOD_NOT_FOUND, "Method not found: " + method, Map.of(), 404);
  }

  /// @param message names the parameter and the remedy
  public static McpError invalidParams(String message) {
    return new McpError(INVALID_PARAMS, "Invalid params: " + message, Map.of(), 400);
  }

  /// A resource that does not exist.
  public static McpError noResource(String uri) {
    return new McpError(INVALID_PARAMS, "Resource not found", Map.of("uri", uri), 400);
  }

  /// Refuses a request that needs a capability of the client that it has not declared.
  ///
  /// @param capabilities such as `sampling`
  public static McpError missingCapability(List<String> capabilities) {
    Map<String, Object> required = new TreeMap<>();
    capabilities.forEach(name -> required.put(name, Map.of()));
    return new McpError(
        MISSING_CLIENT_CAPABILITY,
        "Missing required client capability: " + String.join(", ", capabilities),
        Map.of("requiredCapabilities", required),
        400);
  }

  static McpError headerMismatch(String message) {
    return new McpError(HEADER_MISMATCH, "Header mismatch: " + message, Map.of(), 400);
  }

  static McpError unsupportedVersion(String requested) {
    return new McpError(
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        Map.of("supported", McpRevision.dates(), "requested", requested),
        400);
  }

  static McpError internal() {
    return new McpError(
        INTERNAL_ERROR, "Internal error; the log of the daemon has the reason", Map.of(), 500);
  }
}
