package dev.agentmemory.gateway.resource;

import dev.agentmemory.types.MemoryException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The JSON of a request, made of parameters and of what a body says. A field that both give is
/// refused by the call, as any that is there twice.
final class RequestMessage {

  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, RequestMessage> messages = new LinkedHashMap<>();

  /// @param path names with dots between them
  /// @param json of the value
  void put(String path, String json) {
    String[] names = path.split("\\.", 2);
    if (names.length == 1) {
      values.put(names[0], json);
    } else {
      messages.computeIfAbsent(names[0], _ -> new RequestMessage()).put(names[1], json);
    }
  }

  /// The request.
  ///
  /// @param body a JSON object or nothing
  /// @throws MemoryException `INVALID_FIELD` if it is neither
  byte[] with(byte[] body) {
    // Each byte is a character, so that the body stays as it is.
    String text = new String(body, StandardCharsets.ISO_8859_1).strip();
    String own = json();
    if (text.isEmpty()) {
      return own.getBytes(StandardCharsets.UTF_8);
    }
    if (!text.startsWith("{")) {
      throw MemoryException.invalid("body", "is not a JSON object");
    }
    if (own.equals("{}")) {
      return body;
    }
    String rest = text.substring(1).strip();
    String head = own.substring(0, own.length() - 1) + (rest.startsWith("}") ? "" : ",");
    return joined(
        head.getBytes(StandardCharsets.UTF_8), rest.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static byte[] joined(byte[] head, byte[] tail) {
    byte[] all = new byte[head.length + tail.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(tail, 0, all, head.length, tail.length);
    return all;
  }

  private String json() {
    return Stream.concat(
            values.entrySet().stream().map(value -> field(value.getKey(), value.getValue())),
            messages.entrySet().stream()
                .map(message -> field(message.getKey(), message.getValue().json())))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String field(String name, String json) {
    return '"' + name + "\":" + json;
  }
}
