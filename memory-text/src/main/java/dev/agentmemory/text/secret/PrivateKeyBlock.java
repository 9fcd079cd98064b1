package dev.agentmemory.text.secret;

/// Finds a private key from `-----BEGIN … PRIVATE KEY-----` to its end marker or, if it was
/// truncated, to the last line that looks like a part of it. Lines may be in quotes, as in source
/// code.
final class PrivateKeyBlock {

  private static final String KIND = "private_key";
  private static final String DASHES = "-----";
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final int LONGEST_LABEL = 64;
  private static final int LEAST_LINE = 16;

  private PrivateKeyBlock() {}

  /// @param at index of the first dash
  static Secret find(String text, int at) {
    if (!text.startsWith(BEGIN, at)) {
      return Secret.NONE;
    }
    int label = at + BEGIN.length();
    int close = label;
    while (close < text.length() && close - label < LONGEST_LABEL && isLabel(text.charAt(close))) {
      close++;
    }
    if (!text.startsWith(DASHES, close) || !text.substring(label, close).contains("PRIVATE KEY")) {
      return Secret.NONE;
    }
    int body = close + DASHES.length();
    int end = bodyEnd(text, body);
    return end > body ? new Secret(at, end, KIND) : Secret.NONE;
  }

  private static boolean isLabel(char c) {
    return Letters.isUpperOrDigit(c) || c == ' ';
  }

  private static int bodyEnd(String text, int from) {
    int end = from;
    boolean header = true;
    while (true) {
      int start = skipSeparators(text, end);
      if (text.startsWith(END, start)) {
        int close = text.indexOf(DASHES, start + END.length());
        boolean near = close >= 0 && close - start <= LONGEST_LABEL + END.length();
        return near ? close + DASHES.length() : start + END.length();
      }
      int stop = start;
      while (stop < text.length() && isBase64(text.charAt(stop))) {
        stop++;
      }
      if (header && isHeader(text, start, stop)) {
        end = lineEnd(text, stop);
      } else if (isLine(text, start, stop)) {
        header = false;
        end = stop;
      } else {
        return end;
      }
    }
  }

  /// `Proc-Type: 4,ENCRYPTED` and the like, before the first line of the key.
  private static boolean isHeader(String text, int start, int stop) {
    int colon = stop;
    while (colon < text.length()
        && colon - start < LONGEST_LABEL
        && Letters.isJoined(text.charAt(colon))) {
      colon++;
    }
    return colon > start && text.startsWith(": ", colon);
  }

  /// The last line of a key can be short. A short line before it is prose.
  private static boolean isLine(String text, int start, int stop) {
    if (stop == start) {
      return false;
    }
    return stop - start >= LEAST_LINE
        || stop == text.length()
        || (text.charAt(stop - 1) == '=' && text.charAt(stop) <= ' ')
        || text.startsWith(END, skipSeparators(text, stop));
  }

  private static int lineEnd(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\\') {
      end++;
    }
    return end;
  }

  /// White space, quotes and the escaped line feeds of source code.
  private static int skipSeparators(String text, int from) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\\' && at + 1 < text.length() && "nrt\"\\".indexOf(text.charAt(at + 1)) >= 0) {
        at += 2;
      } else if (c <= ' ' || "\"'`,>|".indexOf(c) >= 0 || (c == '+' && isAlone(text, at))) {
        at++;
      } else {
        break;
      }
    }
    return at;
  }

  private static boolean isAlone(String text, int at) {
    return at + 1 < text.length() && text.charAt(at + 1) <= ' ';
  }

  private static boolean isBase64(char c) {
    return Letters.isPlain(c) || c == '+' || c == '/' || c == '=';
  }
}
