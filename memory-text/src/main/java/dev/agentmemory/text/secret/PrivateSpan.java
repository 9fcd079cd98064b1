package dev.agentmemory.text.secret;

/// Finds `<private>...</private>`. Without an end it reaches to the end of the text.
final class PrivateSpan {

  private static final String KIND = "private";
  private static final String OPEN = "<private>";
  private static final String CLOSE = "</private>";

  private PrivateSpan() {}

  /// @param at index of the first character
  static Secret find(String text, int at) {
    if (!text.regionMatches(true, at, OPEN, 0, OPEN.length())) {
      return Secret.NONE;
    }
    int end = at + OPEN.length();
    while (end < text.length()) {
      end = text.indexOf('<', end);
      if (end < 0) {
        break;
      }
      if (text.regionMatches(true, end, CLOSE, 0, CLOSE.length())) {
        return new Secret(at, end + CLOSE.length(), KIND);
      }
      end++;
    }
    return new Secret(at, text.length(), KIND);
  }
}
