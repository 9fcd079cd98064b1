package dev.agentmemory.store.record;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.UnicodeText;
import java.nio.charset.StandardCharsets;

/// A row that a module keeps in a store. The store does not interpret its value.
///
/// @param key 1 to [#MAX_KEY_BYTES] bytes of UTF-8: the kind of the row, a colon, and what makes it
///   unique
/// @param value any text that can be written as UTF-8, also an empty one
public record StoredRecord(String key, String value) {

  /// Most bytes of a key.
  public static final int MAX_KEY_BYTES = 1024;

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
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
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
    if (UnicodeText.hasLoneSurrogate(text)) {
      throw MemoryException.invalid(
          field, "contains half of a surrogate pair; expected valid Unicode");
    }
  }
}
