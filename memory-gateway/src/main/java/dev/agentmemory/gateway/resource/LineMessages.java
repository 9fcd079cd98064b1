package dev.agentmemory.gateway.resource;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Lines of text, and messages that have them in the field `lines`.
final class LineMessages {

  /// Of a message.
  static final int MOST_LINES = 1000;

  /// In UTF-16 units. A longer line is a message of its own.
  private static final int MOST_LENGTH = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private LineMessages() {}

  /// The lines of a message, each with its line end.
  static byte[] ofMessage(byte[] message) {
    try {
      var lines = new StringBuilder();
      for (JsonNode line : JSON.readTree(message).path("lines")) {
        lines.append(line.textValue()).append('\n');
      }
      return lines.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a response is not JSON", e);
    }
  }

  /// The messages for a body, at least one.
  ///
  /// @throws MemoryException `INVALID_FIELD` if it is not UTF-8
  static List<byte[]> messages(byte[] body) {
    List<byte[]> messages = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    int length = 0;
    for (String line : text(body).lines().toList()) {
      if (lines.size() == MOST_LINES || (length > 0 && length + line.length() > MOST_LENGTH)) {
        messages.add(message(lines));
        lines.clear();
        length = 0;
      }
      lines.add(line);
      length += line.length();
    }
    if (!lines.isEmpty() || messages.isEmpty()) {
      messages.add(message(lines));
    }
    return messages;
  }

  private static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw MemoryException.invalid("body", "is not UTF-8");
    }
  }

  private static byte[] message(List<String> lines) {
    var json = new StringBuilder("{\"lines\":[");
    for (String line : lines) {
      json.append(json.charAt(json.length() - 1) == '[' ? "\"" : ",\"")
          .append(JsonStringEncoder.getInstance().quoteAsString(line))
          .append('"');
    }
    return json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
  }
}
