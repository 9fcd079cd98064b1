package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.SessionPreferences;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/// Masks secrets before anything is stored, by the rules that apply to events.
public final class SecretMasks {

  /// Masks nothing.
  public static final SecretMasks NONE =
      new SecretMasks(UnaryOperator.identity(), (name, value) -> value);

  private final UnaryOperator<String> text;
  private final BinaryOperator<String> named;
  private final JsonMask json;

  /// @param text masks a text
  /// @param named masks the second argument, whose name is the first one
  public SecretMasks(UnaryOperator<String> text, BinaryOperator<String> named) {
    this.text = text;
    this.named = named;
    this.json = new JsonMask(text, named);
  }

  /// Masks a text.
  public String mask(String original) {
    return text.apply(original);
  }

  /// The same, cut to a length. A mask can be longer than what it stands for.
  public String mask(String original, int mostCharacters) {
    return cut(text.apply(original), mostCharacters);
  }

  /// Masks the names and values of a JSON text. The result is JSON again.
  ///
  /// @param field of the request, for a refusal
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when it is not one JSON value
  public String maskJson(String field, String original) {
    return json.apply(field, original);
  }

  /// Masks preferences.
  public SessionPreferences mask(SessionPreferences original) {
    Map<String, String> custom = new HashMap<>();
    original
        .custom()
        .forEach((name, value) ->
            custom.put(
                mask(name, SessionPreferences.MAX_KEY),
                cut(named.apply(name, value), SessionPreferences.MAX_VALUE)));
    return new SessionPreferences(
        original.language().map(word -> mask(word, SessionPreferences.MAX_WORD)),
        original.verbosity().map(word -> mask(word, SessionPreferences.MAX_WORD)),
        custom);
  }

  /// Does not cut a surrogate pair in two.
  private static String cut(String masked, int most) {
    if (masked.length() <= most) {
      return masked;
    }
    return masked.substring(
        0, Character.isHighSurrogate(masked.charAt(most - 1)) ? most - 1 : most);
  }
}
