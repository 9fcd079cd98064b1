package dev.agentmemory.text;

/// Distinguishes names in code from words of a language.
public final class Identifiers {

  private Identifiers() {}

  /// Whether a text without spaces looks like a name in code, a path, a version or an error code:
  /// it has a digit and another character, punctuation inside, or capitals inside.
  ///
  /// @param text begins and ends with a letter or digit, or is empty
  public static boolean isIdentifier(CharSequence text) {
    boolean letter = false;
    boolean digit = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isDigit(c)) {
        digit = true;
      } else if (Character.isLetter(c)) {
        if (i > 0 && Character.isUpperCase(c) && Character.isLowerCase(text.charAt(i - 1))) {
          return true;
        }
        letter = true;
      } else if (c != '\'' && c != '\u2019' && c != ',') {
        return true;
      }
    }
    return letter && digit;
  }
}
