package dev.agentmemory.search.internal.query;

import java.util.Optional;

/// Words in quotes: `"straight"` or typographic ones. They end where a line does, and the closing
/// quote has no letter behind it, so inches and apostrophes are none. Quotes around nothing are
/// none.
///
/// @param words without the quotes
/// @param end behind the closing quote
record Quoted(String words, int end) {

  /// What writes one of them may write any of the others at the end.
  private static final String CLOSING = "\"\u201c\u201d";

  private static final String OPENING = CLOSING + "\u201e";

  /// Whether an opening quote stands there, closed or not.
  static boolean begins(String text, int start) {
    return start < text.length() && !closing(text.charAt(start)).isEmpty();
  }

  /// Reads quotes that begin there.
  static Optional<Quoted> at(String text, int start) {
    if (!begins(text, start)) {
      return Optional.empty();
    }
    String closing = closing(text.charAt(start));
    for (int i = start + 1; i < text.length() && text.charAt(i) != '\n'; i++) {
      if (closing.indexOf(text.charAt(i)) >= 0 && isEnd(text, i + 1)) {
        String words = text.substring(start + 1, i);
        return words.isBlank() ? Optional.empty() : Optional.of(new Quoted(words, i + 1));
      }
    }
    return Optional.empty();
  }

  private static boolean isEnd(String text, int i) {
    return i >= text.length() || !Character.isLetterOrDigit(text.codePointAt(i));
  }

  /// What ends what a character begins.
  private static String closing(char opening) {
    if (OPENING.indexOf(opening) >= 0) {
      return CLOSING;
    }
    return opening == '\u00ab' ? "\u00bb" : "";
  }
}
