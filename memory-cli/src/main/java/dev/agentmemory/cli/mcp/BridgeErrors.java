package dev.agentmemory.cli.mcp;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/// Errors that the bridge itself answers with.
final class BridgeErrors {

  private static final int INTERNAL = -32603;
  private static final int INVALID = -32600;

  private BridgeErrors() {}

  /// @param id of the request, as JSON
  /// @param message for a person
  static String internal(String id, String message) {
    return error(id, INTERNAL, message);
  }

  static String tooLong(int most) {
    return error("null", INVALID, "Invalid request: the message has more than " + most + " bytes");
  }

  private static String error(String id, int code, String message) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}"
        .formatted(id, code, quoted(message));
  }

  static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
