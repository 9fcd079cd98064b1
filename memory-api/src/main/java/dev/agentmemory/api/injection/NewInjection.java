package dev.agentmemory.api.injection;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;

/// Something that a session was told, to be recorded.
///
/// @param text as it was given, without the envelope of recalled text: 1 to [#MOST_CHARS] UTF-16
///   units, not blank
public record NewInjection(
    SessionId session, InjectionMoment moment, InjectionSource source, String text) {

  public static final int MOST_CHARS = 256 * 1024;

  /// @throws MemoryException `INVALID_FIELD` naming `text`
  public NewInjection {
    if (text.isBlank()) {
      throw MemoryException.invalid("text", "is empty; it is required");
    }
    if (text.length() > MOST_CHARS) {
      throw MemoryException.invalid(
          "text", "has %d characters; expected at most %d".formatted(text.length(), MOST_CHARS));
    }
  }
}
