package dev.agentmemory.text.secret;

/// Finds the value of `name = value`, `name: value`, `"name": "value"` and `name => value`, where
/// the name shows that the value is a secret. An expression that reads the value, such as
/// `os.environ["X"]`, is not a secret.
final class SecretAssignment {

  /// Most spaces and quotes on either side of the sign.
  private static final int MOST_BETWEEN = 24;

  private static final int LONGEST_NAME = 64;

  /// Characters of an unquoted value that are examined. More is read only of a value that is then
  /// masked, so that no part of a long run without a space is read repeatedly.
  private static final int LONGEST_LOOK = 128;

  private SecretAssignment() {}

  /// @param at index of the sign
  static Secret find(String text, int at) {
    int nameEnd = nameEnd(text, at);
    String kind = nameEnd > 0 ? SecretNames.kind(text, nameEnd) : "";
    if (kind.isEmpty() || isMask(text, nameEnd)) {
      return Secret.NONE;
    }
    int after = text.startsWith("=>", at) ? at + 2 : at + 1;
    int start = skip(text, after, " \t", MOST_BETWEEN);
    start = skip(text, start, "*", 2);
    start = start > after ? skip(text, start, " ", 1) : start;
    boolean escaped = text.startsWith("\\", start);
    int quote = escaped ? start + 1 : start;
    if (quote < text.length() && "\"'`".indexOf(text.charAt(quote)) >= 0) {
      int close = close(text, quote, escaped);
      if (close >= 0) {
        return quoted(text, quote + 1, close, kind);
      }
      start = quote + 1;
    }
    return bare(text, start, nameEnd, at, kind);
  }

  /// The index after the name; -1 when the sign is not an assignment.
  private static int nameEnd(String text, int at) {
    char before = at > 0 ? text.charAt(at - 1) : ' ';
    char after = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    int end = at;
    if (text.charAt(at) == ':') {
      if (after == '=' || after == ':' || before == ':') {
        return -1;
      }
    } else if (after == '=' || after == '~' || "=!<>~+-*/%^|&".indexOf(before) >= 0) {
      return -1;
    } else if (before == ':' || before == '?') {
      end--;
    }
    int least = Math.max(0, end - MOST_BETWEEN);
    while (end > least && " \t\"'`\\*]".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return end;
  }

  private static int skip(String text, int from, String marks, int most) {
    int at = from;
    while (at < text.length() && at - from < most && marks.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  /// The closing quote on the same line, -1 when there is none.
  private static int close(String text, int open, boolean escaped) {
    char quote = text.charAt(open);
    for (int at = open + 1; at < text.length() && text.charAt(at) != '\n'; at++) {
      char c = text.charAt(at);
      if (c == '\\' && escaped && text.startsWith(String.valueOf(quote), at + 1)) {
        return at;
      }
      if (c == '\\') {
        at++;
      } else if (c == quote) {
        return at;
      }
    }
    return -1;
  }

  private static Secret quoted(String text, int start, int close, String kind) {
    boolean secret = SecretValues.isSecret(text.substring(start, close), kind);
    return secret ? new Secret(start, close, kind) : Secret.NONE;
  }

  private static Secret bare(String text, int start, int nameEnd, int at, String kind) {
    boolean tight = text.charAt(at) == '=' && nameEnd == at && start == at + 1;
    boolean line = tight && startsLine(text, nameEnd);
    int end = valueEnd(text, start, Math.min(text.length(), start + LONGEST_LOOK), line);
    boolean longer = end - start == LONGEST_LOOK;
    boolean last = end == text.length() || text.charAt(end) == '\n' || text.charAt(end) == '\r';
    while (end > start && ".:".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    char next = end < text.length() ? text.charAt(end) : ' ';
    boolean wordAllowed = tight ? ",);".indexOf(next) < 0 : text.charAt(at) == ':' && last;
    boolean secret =
        SecretValues.isSecretBare(text.substring(start, end), kind, tight, wordAllowed);
    if (!secret) {
      return Secret.NONE;
    }
    return new Secret(start, longer ? valueEnd(text, end, text.length(), line) : end, kind);
  }

  private static int valueEnd(String text, int from, int limit, boolean line) {
    int end = from;
    while (end < limit && !endsValue(text.charAt(end), line)) {
      end++;
    }
    return end;
  }

  /// A value in a file with one variable per line may contain characters that end it elsewhere.
  private static boolean endsValue(char c, boolean line) {
    return c <= ' ' || "\"'`\\".indexOf(c) >= 0 || (!line && ",;)}]<>|&".indexOf(c) >= 0);
  }

  /// Whether the supposed name is the kind in a mask.
  private static boolean isMask(String text, int nameEnd) {
    int before = nameStart(text, nameEnd) - SecretMask.MASKED.length();
    return text.startsWith("]", nameEnd) && text.startsWith(SecretMask.MASKED, before);
  }

  private static int nameStart(String text, int nameEnd) {
    int start = nameEnd;
    int least = Math.max(0, nameEnd - LONGEST_NAME);
    while (start > least && Letters.isJoined(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  /// Whether the name is the first word of its line, or follows `export`.
  private static boolean startsLine(String text, int nameEnd) {
    int start = nameStart(text, nameEnd);
    return start == 0
        || text.charAt(start - 1) == '\n'
        || (start >= 7 && text.startsWith("export ", start - 7));
  }
}
