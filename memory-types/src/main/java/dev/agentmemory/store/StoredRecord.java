package dev.agentmemory.store;

/// A row that a module keeps in a store. The store does not read its value.
///
/// @param key 1 to [#MAX_KEY_BYTES] bytes of UTF-8: the kind of the row, a colon, and what makes it
///   unique
/// @param value any text
public record StoredRecord(String key, String value) {

  /// Most bytes of a key.
  public static final int MAX_KEY_BYTES = 1024;
}
