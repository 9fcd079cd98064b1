package dev.agentmemory.api.conversation;

import dev.agentmemory.types.MemoryException;
import java.util.Map;
import java.util.Optional;

/// How the person of a session wants to be answered.
///
/// @param language such as `en`
/// @param verbosity such as `medium`
/// @param custom at most 100 entries of at most 128 characters for the key and 1,000 for the value
public record SessionPreferences(
    Optional<String> language, Optional<String> verbosity, Map<String, String> custom) {

  public static final SessionPreferences NONE =
      new SessionPreferences(Optional.empty(), Optional.empty(), Map.of());

  /// Most custom entries.
  public static final int MAX_CUSTOM = 100;

  /// Most characters of language and verbosity.
  public static final int MAX_WORD = 64;

  /// Most characters of the key of a custom entry.
  public static final int MAX_KEY = 128;

  /// Most characters of the value of a custom entry.
  public static final int MAX_VALUE = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `preferences.<field>`
  public SessionPreferences {
    custom = Map.copyOf(custom);
    check("language", language.orElse("").length() <= MAX_WORD);
    check("verbosity", verbosity.orElse("").length() <= MAX_WORD);
    check("custom", custom.size() <= MAX_CUSTOM);
    custom.forEach((key, value) ->
        check("custom", !key.isEmpty() && key.length() <= MAX_KEY && value.length() <= MAX_VALUE));
  }

  private static void check(String field, boolean holds) {
    if (!holds) {
      throw MemoryException.invalid(
          "preferences." + field,
          ("is too large; expected at most %d characters for language and verbosity, and %d custom"
                  + " entries with keys of 1 to %d and values of at most %d characters")
              .formatted(MAX_WORD, MAX_CUSTOM, MAX_KEY, MAX_VALUE));
    }
  }
}
