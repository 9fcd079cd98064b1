package dev.agentmemory.text;

/// The markers of list entries: `-`, `*`, `•`, `1.`, `2)`, check boxes.
public final class ListMarker {

  private ListMarker() {}

  /// Where the content of a line starts.
  public static int skip(String text, int start, int end) {
    int at = marker(text, start, end);
    if (at == start) {
      return start;
    }
    while (at < end && text.charAt(at) == ' ') {
      at++;
    }
    boolean box = at + 2 < end && text.charAt(at) == '[' && text.charAt(at + 2) == ']';
    return box ? skipSpaces(text, at + 3, end) : at;
  }

  private static int marker(String text, int start, int end) {
    char c = text.charAt(start);
    boolean spaced = start + 1 < end && text.charAt(start + 1) == ' ';
    if (spaced
        && (c == '-' || c == '*' || c == '+' || c == '•' || c == '●' || c == '–' || c == '✅'
            || c == '✓' || c == '✗' || c == '⏺')) {
      return start + 2;
    }
    int at = start;
    while (at < end && at - start < 3 && Character.isDigit(text.charAt(at))) {
      at++;
    }
    boolean number =
        at > start
            && at + 1 < end
            && (text.charAt(at) == '.' || text.charAt(at) == ')')
            && text.charAt(at + 1) == ' ';
    return number ? at + 2 : start;
  }

  private static int skipSpaces(String text, int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) == ' ') {
      at++;
    }
    return at;
  }
}
