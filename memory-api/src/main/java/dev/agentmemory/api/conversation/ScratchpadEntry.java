package dev.agentmemory.api.conversation;

import dev.agentmemory.types.MemoryException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// A working value of a conversation.
///
/// @param value JSON
public record ScratchpadEntry(String key, String value, Instant created, Instant updated) {

  /// Most characters of a key.
  public static final int MAX_KEY = 128;

  /// Most bytes of a value.
  public static final int MAX_VALUE = 64 << 10;

  /// Most keys of a conversation.
  public static final int MAX_ENTRIES = 1000;

  /// Bytes of key and value in UTF-8, which count against the quota of the session.
  public long bytes() {
    return bytes(key) + bytes(value);
  }

  /// Checks a key of a request.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `key`
  public static void checkKey(String key) {
    int characters = key.codePointCount(0, key.length());
    boolean printable = key.codePoints().allMatch(ScratchpadEntry::isPrintable);
    if (characters < 1 || characters > MAX_KEY || !printable) {
      throw MemoryException.invalid(
          "key", "has to be 1 to %d printable characters".formatted(MAX_KEY));
    }
  }

  /// Checks the size of a value of a request.
  ///
  /// @throws MemoryException `INVALID_FIELD` naming `value`
  public static void checkSize(String value) {
    long bytes = bytes(value);
    if (bytes > MAX_VALUE) {
      throw MemoryException.invalid(
          "value", "has %d bytes of UTF-8; expected at most %d".formatted(bytes, MAX_VALUE));
    }
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
