package dev.agentmemory.text.secret;

/// The ASCII letters and digits that secrets consist of.
final class Letters {

  private Letters() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isLetter(char c) {
    char lower = (char) (c | 0x20);
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  static boolean isUpperOrDigit(char c) {
    return isUpper(c) || isDigit(c);
  }

  static boolean isPlain(char c) {
    return isLetter(c) || isDigit(c);
  }

  /// A letter, a digit or one of the marks inside a token or a name.
  static boolean isJoined(char c) {
    return isPlain(c) || c == '_' || c == '-';
  }

  static boolean hasDigit(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (isDigit(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
