package dev.agentmemory.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The answer to an [HttpCall].
///
/// @param contentType empty if there is no body
/// @param body empty if it is streamed
/// @param headers further headers
/// @param stream makes the body while it is sent
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record HttpReply(
    int status,
    String contentType,
    byte[] body,
    Map<String, String> headers,
    Optional<StreamedBody> stream) {

  public HttpReply {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("no status of an answer: " + status);
    }
    Objects.requireNonNull(contentType, "contentType");
    Objects.requireNonNull(body, "body");
    headers = Map.copyOf(headers);
    Objects.requireNonNull(stream, "stream");
  }

  /// An answer whose body is there.
  public HttpReply(int status, String contentType, byte[] body, Map<String, String> headers) {
    this(status, contentType, body, headers, Optional.empty());
  }

  /// 200 with a body that is made while it is sent.
  public static HttpReply streamed(String contentType, StreamedBody body) {
    return new HttpReply(200, contentType, new byte[0], Map.of(), Optional.of(body));
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

  /// The same with one more header.
  public HttpReply withHeader(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new HttpReply(status, contentType, body, more, stream);
  }

  public static HttpReply empty(int status) {
    return new HttpReply(status, "", new byte[0], Map.of());
  }
}
