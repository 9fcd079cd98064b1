package dev.agentmemory.types;

/// The rule that a text has to be valid Unicode.
public final class UnicodeText {

  private UnicodeText() {}

  /// Whether a text holds half of a surrogate pair, which UTF-8 cannot express: an encoder would
  /// write a question mark.
  public static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        // The code points of a string contain a surrogate only if its other half is missing.
        return text.codePoints()
            .anyMatch(
                point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
      }
    }
    return false;
  }
}
