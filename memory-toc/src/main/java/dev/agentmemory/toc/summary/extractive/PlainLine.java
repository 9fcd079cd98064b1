package dev.agentmemory.toc.summary.extractive;

/// Turns an excerpt into a line to read: white space made even, markdown emphasis and links left
/// out, a capital in front.
final class PlainLine {

  private PlainLine() {}

  static String of(String excerpt) {
    var line = new StringBuilder(excerpt.length());
    boolean quoted = false;
    for (int i = 0; i < excerpt.length(); i++) {
      char c = excerpt.charAt(i);
      quoted ^= c == '`';
      if (Character.isWhitespace(c) || c == '\u00a0') {
        if (!line.isEmpty() && line.charAt(line.length() - 1) != ' ') {
          line.append(' ');
        }
      } else if (c == '[' && !quoted && linkEnd(excerpt, i) > 0) {
        int label = excerpt.indexOf("](", i);
        line.append(excerpt, i + 1, label);
        i = linkEnd(excerpt, i);
      } else if (!isEmphasis(excerpt, i, quoted)) {
        line.append(c);
      }
    }
    return line.toString().strip();
  }

  /// Upper case for a first letter that starts an ordinary word; `iPhone` and `server.go` stay.
  static String capitalised(String text) {
    int word = 0;
    while (word < text.length() && Character.isLetter(text.charAt(word))) {
      word++;
    }
    boolean ordinary =
        word > 0
            && (word == text.length()
                || "._/:-(0123456789".indexOf(text.charAt(word)) < 0
                || (word + 1 < text.length() && !Character.isLetterOrDigit(text.charAt(word + 1))));
    for (int i = 0; i < word; i++) {
      ordinary &= Character.isLowerCase(text.charAt(i));
    }
    if (!ordinary && !text.startsWith("don't ")) {
      return text;
    }
    return Character.toTitleCase(text.charAt(0)) + text.substring(1);
  }

  /// `**`, and single `*` or `_` at the edge of a word.
  private static boolean isEmphasis(String text, int at, boolean quoted) {
    char c = text.charAt(at);
    if (quoted || (c != '*' && c != '_')) {
      return false;
    }
    char before = at > 0 ? text.charAt(at - 1) : ' ';
    char after = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    if (before == c || after == c) {
      return c == '*';
    }
    boolean opens =
        Character.isWhitespace(before) && Character.isLetter(after) && text.indexOf(c, at + 1) > 0;
    boolean closes =
        Character.isLetter(before)
            && !Character.isLetterOrDigit(after)
            && text.lastIndexOf(c, at - 1) >= 0;
    return opens || closes;
  }

  /// The closing parenthesis of the link that opens here, -1 when none does.
  private static int linkEnd(String text, int open) {
    int label = text.indexOf("](", open);
    int close = label < 0 ? -1 : text.indexOf(')', label);
    boolean nested = text.indexOf('[', open + 1) >= 0 && text.indexOf('[', open + 1) < label;
    return nested ? -1 : close;
  }
}
