package dev.agentmemory.text.secret.format;

/// The characters that secrets and their names consist of.
public final class Letters {

  /// Where scripts begin that put no space between words.
  private static final char FIRST_WITHOUT_SPACES = '\u2e80';

  /// The ASCII letters and digits, and `_`.
  private static final boolean[] WORD = new boolean[128];

  static {
    for (char c = 0; c < WORD.length; c++) {
      WORD[c] = isPlain(c) || c == '_';
    }
  }

  private static final int LONGEST_PARAMETER = 40;

  /// Characters of a quoted value.
  private static final int LONGEST_QUOTED = 4096;

  private Letters() {}

  public static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  public static boolean isLetter(char c) {
    char lower = (char) (c | 0x20);
    return lower >= 'a' && lower <= 'z';
  }

  public static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  public static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  public static boolean isPlain(char c) {
    return isLetter(c) || isDigit(c);
  }

  /// A letter, a digit or one of the marks inside a token or a name.
  public static boolean isJoined(char c) {
    return isPlain(c) || c == '_' || c == '-';
  }

  /// A letter, a digit, `_`, or a letter of another script that puts spaces between words.
  public static boolean isWord(char c) {
    return c < 128 ? WORD[c] : c < FIRST_WITHOUT_SPACES && Character.isLetterOrDigit(c);
  }

  public static char lower(char c) {
    return c < 128 ? (isUpper(c) ? (char) (c | 0x20) : c) : Character.toLowerCase(c);
  }

  public static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  public static boolean isQuote(char c) {
    return c == '"' || c == '\'' || c == '`';
  }

  /// Whether an `&` is part of a value: neither a parameter, an entity nor a space follows it.
  public static boolean isAmong(String text, int ampersand) {
    int at = ampersand + 1;
    while (isJoined(at(text, at)) && at - ampersand < LONGEST_PARAMETER) {
      at++;
    }
    char after = at(text, at);
    return at(text, ampersand + 1) > ' '
        && "&|>;\"'".indexOf(at(text, ampersand + 1)) < 0
        && "=;[%".indexOf(after) < 0
        && at - ampersand < LONGEST_PARAMETER;
  }

  /// The closing quote on the same line, -1 when there is none.
  public static int close(String text, int open, boolean escaped) {
    char quote = text.charAt(open);
    int limit = Math.min(text.length(), open + LONGEST_QUOTED);
    for (int at = open + 1; at < limit && text.charAt(at) != '\n'; at++) {
      char c = text.charAt(at);
      if (c == '\\' && escaped) {
        int last = skip(text, at, "\\", 16);
        if (at(text, last) == quote) {
          return at;
        }
        at = last;
      } else if (c == quote && escaped) {
        return -1;
      } else if (c == '\\') {
        at++;
      } else if (c == quote) {
        return at;
      }
    }
    return -1;
  }

  public static boolean hasDigit(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (isDigit(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /// The character at an index; a space outside the text.
  public static char at(String text, int index) {
    return index >= 0 && index < text.length() ? text.charAt(index) : ' ';
  }

  /// The index of a character before a limit; -1 if it is not there.
  public static int indexOf(String text, char c, int from, int limit) {
    return text.indexOf(c, Math.max(0, from), Math.max(from, Math.min(limit, text.length())));
  }

  /// The index of the first character from an index on that is none of some marks.
  public static int skip(String text, int from, String marks, int most) {
    int at = from;
    while (at < text.length() && at - from < most && marks.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  /// Whether a quote is the first of three.
  public static boolean isTripled(String text, int quote) {
    char mark = text.charAt(quote);
    return at(text, quote + 1) == mark && at(text, quote + 2) == mark && quote + 3 < text.length();
  }

  /// Whether a line goes on in the next one.
  public static boolean isContinued(String text, int from) {
    char after = at(text, from + 1);
    return at(text, from) == '\\' && (after == '\n' || after == '\r');
  }
}
