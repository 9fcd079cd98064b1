package dev.agentmemory.store.record;

import dev.agentmemory.types.MemoryException;

/// A row that a module keeps in a store. The store does not interpret its value.
///
/// @param key 1 to [#MAX_KEY_BYTES] bytes of UTF-8: the kind of the row, a colon, and what makes it
///   unique
/// @param value any text that can be written as UTF-8, also an empty one
public record StoredRecord(String key, String value) {

  /// Most bytes of a key.
  public static final int MAX_KEY_BYTES = 1024;

  private static final long INVALID = -1;

  /// @throws MemoryException `INVALID_FIELD` when key or value are not as above
  public StoredRecord {
    checkKey("key", key);
    checkText("value", value);
  }

  /// Checks the key of a row.
  ///
  /// @param field the field to name when the key is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static void checkKey(String field, String key) {
    checkText(field, key);
    long bytes = utf8Bytes(key);
    if (bytes == 0 || bytes > MAX_KEY_BYTES) {
      throw MemoryException.invalid(
          field, "has %d bytes; expected 1 to %d".formatted(bytes, MAX_KEY_BYTES));
    }
  }

  /// Checks that a text can be written as UTF-8. Half of a surrogate pair would be stored as a
  /// question mark, so two different keys could become one.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static void checkText(String field, String text) {
    if (utf8Bytes(text) == INVALID) {
      throw MemoryException.invalid(
          field, "contains half of a surrogate pair; expected valid Unicode");
    }
  }

  /// The length of a text in UTF-8; [#INVALID] when it contains half of a surrogate pair.
  private static long utf8Bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        boolean pair =
            Character.isHighSurrogate(unit)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return INVALID;
        }
        bytes += 4;
        i++;
      } else {
        bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
      }
    }
    return bytes;
  }
}
