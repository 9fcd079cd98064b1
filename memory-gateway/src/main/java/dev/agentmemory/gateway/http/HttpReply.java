package dev.agentmemory.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/// The answer to an [HttpCall].
///
/// @param contentType empty if there is no body
/// @param headers further headers
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record HttpReply(int status, String contentType, byte[] body, Map<String, String> headers) {

  public HttpReply {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("no status of an answer: " + status);
    }
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    headers = Map.copyOf(headers);
  }

  /// 200 with a JSON text; with "" an answer without a body.
  public static HttpReply json(String json) {
    return json(200, json);
  }

  public static HttpReply json(int status, String json) {
    return text(status, "application/json", json);
  }

  public static HttpReply text(int status, String contentType, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return new HttpReply(status, body.length == 0 ? "" : contentType, body, Map.of());
  }

  public static HttpReply empty(int status) {
    return new HttpReply(status, "", new byte[0], Map.of());
  }
}
