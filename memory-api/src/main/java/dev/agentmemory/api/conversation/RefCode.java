package dev.agentmemory.api.conversation;

import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.regex.Pattern;

/// A short name of a conversation: 11 of `0-9 A-Z a-z`.
public record RefCode(String value) {

  public static final int LENGTH = 11;

  private static final Pattern FORM = Pattern.compile("[0-9A-Za-z]{11}");

  /// @throws IllegalArgumentException when the text is not of that form
  public RefCode {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not a ref code: " + value);
    }
  }

  /// A code if the text is one.
  public static Optional<RefCode> of(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new RefCode(text)) : Optional.empty();
  }

  /// Reads a code from a request.
  ///
  /// @throws MemoryException `INVALID_FIELD`
  public static RefCode parse(String field, String text) {
    return of(text)
        .orElseThrow(() ->
            MemoryException.invalid(field, "is not a ref code; expected 11 of 0-9, A-Z and a-z"));
  }

  @Override
  public String toString() {
    return value;
  }
}
