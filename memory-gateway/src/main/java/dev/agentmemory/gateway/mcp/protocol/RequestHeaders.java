package dev.agentmemory.gateway.mcp.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The headers with which a request of revision 2026-07-28 repeats parts of its body, so that
/// proxies need not read it.
final class RequestHeaders {

  private static final String METHOD = "Mcp-Method";
  private static final String NAME = "Mcp-Name";
  private static final String PARAMETER = "Mcp-Param-";
  private static final String DECLARED = "x-mcp-header";
  private static final String ENCODED = "=?base64?";
  private static final String ENCODED_END = "?=";

  private RequestHeaders() {}

  static Optional<McpError> methodProblem(Incoming incoming) {
    return differs(incoming, METHOD, incoming.method());
  }

  /// @param method whose parameter `Mcp-Name` repeats
  static Optional<McpError> nameProblem(Incoming incoming, McpMethod method) {
    return method
        .named()
        .flatMap(parameter ->
            incoming.params().get(parameter) instanceof String value
                ? differs(incoming, NAME, value)
                : Optional.empty());
  }

  /// Arguments of a tool whose schema names a header for them.
  static Optional<McpError> parameterProblem(Incoming incoming, McpFeatures features) {
    if (!incoming.method().equals(McpFeatures.CALL)) {
      return Optional.empty();
    }
    McpTool tool = features.tools().get(String.valueOf(incoming.params().get("name")));
    if (tool == null) {
      return Optional.empty();
    }
    Map<String, Object> arguments = McpRequest.object(incoming.params().get("arguments"));
    Map<String, Object> properties =
        McpRequest.object(
            McpRequest.object(tool.declaration().get("inputSchema")).get("properties"));
    return properties.entrySet().stream()
        .flatMap(property ->
            argumentProblem(
                incoming, McpRequest.object(property.getValue()), arguments.get(property.getKey()))
                .stream())
        .findFirst();
  }

  private static Optional<McpError> argumentProblem(
      Incoming incoming, Map<String, Object> schema, @Nullable Object argument) {
    return schema.get(DECLARED) instanceof String header && argument != null
        ? differs(incoming, PARAMETER + header, String.valueOf(argument))
        : Optional.empty();
  }

  private static Optional<McpError> differs(Incoming incoming, String header, String expected) {
    Optional<String> sent =
        incoming.call().header(header).map(String::strip).flatMap(RequestHeaders::decoded);
    return sent.filter(expected::equals).isPresent()
        ? Optional.empty()
        : Optional.of(McpError.headerMismatch(header + " has to repeat the value in the body"));
  }

  /// @return empty when it says that it is encoded and cannot be decoded
  private static Optional<String> decoded(String value) {
    if (!value.startsWith(ENCODED) || !value.endsWith(ENCODED_END)) {
      return Optional.of(value);
    }
    String code = value.substring(ENCODED.length(), value.length() - ENCODED_END.length());
    if (code.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(new String(Base64.getDecoder().decode(code), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
