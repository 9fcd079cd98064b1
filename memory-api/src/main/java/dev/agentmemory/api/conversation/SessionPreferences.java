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

  private static final int MAX_CUSTOM = 100;
  private static final int MAX_WORD = 64;
  private static final int MAX_KEY = 128;
  private static final int MAX_VALUE = 1000;

  /// @throws MemoryException `INVALID_FIELD` naming `preferences.<field>`
  public SessionPreferences {
    custom = Map.copyOf(custom);
    check("language", language.orElse("").length() <= MAX_WORD);
    check("verbosity", verbosity.orElse("").length() <= MAX_WORD);
    check("custom", custom.size() <= MAX_CUSTOM);
    custom.forEach((key, value) ->
        check(
            "custom",
            !key.isEmpty() && key.length() <= MAX_KEY && value.length() <= MAX_VALUE));
  }

  private static void check(String field, boolean holds) {
    if (!holds) {
      throw MemoryException.invalid(
          "preferences." + field,
          "is too large; expected at most 64 characters for language and verbosity, and 100 custom"
              + " entries of 1 to 128 and at most 1,000 characters");
    }
  }
}
