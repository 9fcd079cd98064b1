package dev.agentmemory.types;

import java.nio.charset.StandardCharsets;

/// The identity of a session, chosen by the agent: 1 to 256 bytes of UTF-8 without control
/// characters.
public record SessionId(String value) implements Comparable<SessionId> {

  /// Longest session id, in bytes of UTF-8.
  public static final int MAX_BYTES = 256;

  /// @throws IllegalArgumentException when the text is empty, too long or holds control characters
  public SessionId {
    String problem = problem(value);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException("session id " + problem);
    }
  }

  /// Reads an id from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static SessionId parse(String field, String text) {
    String problem = problem(text);
    if (!problem.isEmpty()) {
      throw MemoryException.invalid(field, problem);
    }
    return new SessionId(text);
  }

  @Override
  public int compareTo(SessionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  private static String problem(String text) {
    if (text.isEmpty()) {
      return "is empty; send the id of the conversation that the event belongs to";
    }
    if (text.length() > MAX_BYTES
        || (text.length() * 3 > MAX_BYTES
            && text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES)) {
      return "is longer than " + MAX_BYTES + " bytes of UTF-8";
    }
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      if (Character.isISOControl(point)) {
        return "holds a control character; use printable text";
      }
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        return "holds half a surrogate pair; send valid Unicode";
      }
    }
    return "";
  }
}
