package dev.agentmemory.api.text;

import dev.agentmemory.types.MemoryException;

/// Bounds of a text, or a list of texts, of a request. Reading a text takes processor time in
/// proportion to its length, also where nothing can match it.
///
/// @param chars most UTF-16 units of a text
/// @param values most texts of a list
public record TextLimit(int chars, int values) {

  /// Of what has no limit of its own: 4096 UTF-16 units, 1000 values.
  public static final TextLimit DEFAULT = new TextLimit(4096, 1000);

  public TextLimit {
    if (chars < 1 || values < 1) {
      throw new IllegalArgumentException("limits start at 1");
    }
  }

  public TextLimit withChars(int changed) {
    return new TextLimit(changed, values);
  }

  /// @throws MemoryException `INVALID_FIELD` when the text is too long
  public void check(String field, String text) {
    if (text.length() > chars) {
      throw MemoryException.invalid(
          field, "is %d characters long; shorten it to %d at most".formatted(text.length(), chars));
    }
  }

  /// @throws MemoryException `INVALID_FIELD` when the list has too many values
  public void checkCount(String field, int count) {
    if (count > values) {
      throw MemoryException.invalid(
          field, "has %d values; send %d at most".formatted(count, values));
    }
  }
}
