package dev.agentmemory.gateway.resource;

import dev.agentmemory.types.MemoryException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The parts of a path, decoded each on its own, so that one may hold a `/`.
final class PathSegments {

  private PathSegments() {}

  /// @param raw percent-encoded, beginning with `/`
  /// @throws MemoryException `INVALID_FIELD` if it is not percent-encoded UTF-8
  static List<String> of(String raw) {
    return Operation.segments(raw).stream().map(PathSegments::decoded).toList();
  }

  private static String decoded(String segment) {
    byte[] bytes = segment.getBytes(StandardCharsets.UTF_8);
    var decoded = new ByteArrayOutputStream(bytes.length);
    int at = 0;
    while (at < bytes.length) {
      if (bytes[at] == '%') {
        decoded.write(octet(bytes, at));
        at += 3;
      } else {
        decoded.write(bytes[at]);
        at++;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw refused();
    }
  }

  private static int octet(byte[] bytes, int at) {
    int high = at + 1 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
    int low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
    if (high < 0 || low < 0) {
      throw refused();
    }
    return high << 4 | low;
  }

  private static MemoryException refused() {
    return MemoryException.invalid("path", "cannot be decoded; send percent-encoded UTF-8");
  }
}
