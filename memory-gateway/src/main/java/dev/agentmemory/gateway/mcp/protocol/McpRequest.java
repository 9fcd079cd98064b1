package dev.agentmemory.gateway.mcp.protocol;

import dev.agentmemory.api.access.Caller;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A valid request and where it came from.
///
/// @param revision of the protocol
/// @param params empty if it has none
/// @param header the value of a header of the HTTP request
/// @param query the parameters of the URL
/// @param caller whose token it carries
public record McpRequest(
    McpRevision revision,
    String method,
    Map<String, Object> params,
    Function<String, Optional<String>> header,
    Map<String, String> query,
    Caller caller) {

  static final String META = "_meta";
  static final String PREFIX = "io.modelcontextprotocol/";
  private static final String CLIENT = PREFIX + "clientInfo";
  static final String CAPABILITIES = PREFIX + "clientCapabilities";

  /// A parameter that is an object; empty if it is absent or something else.
  public Map<String, Object> object(String name) {
    return object(params.get(name));
  }

  /// The metadata of the request.
  public Map<String, Object> meta() {
    return object(META);
  }

  /// A parameter that is a text.
  public Optional<String> text(String name) {
    return params.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /// What the client calls itself, if it says so.
  public Optional<String> clientName() {
    return object(meta().get(CLIENT)).get("name") instanceof String name
        ? Optional.of(name)
        : Optional.empty();
  }

  /// Whether the client has declared a capability. Clients of 2025 have done so in another request,
  /// so nothing is known of them.
  public boolean clientCan(String capability) {
    return object(meta().get(CAPABILITIES)).containsKey(capability);
  }

  @SuppressWarnings("unchecked") // Objects of JSON have text keys only.
  static Map<String, Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
