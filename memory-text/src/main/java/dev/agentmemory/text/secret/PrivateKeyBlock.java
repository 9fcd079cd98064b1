package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;

/// Finds what only private keys have: the lines of one of PuTTY, the private part of a JSON web
/// key, and a private key from `-----BEGIN … PRIVATE KEY-----` to its end marker or, if it was
/// truncated, to the last line that looks like a part of it. Lines may be in quotes, as in source
/// code, numbered, or marked as added or removed.
final class PrivateKeyBlock {

  private static final String KIND = "private_key";
  private static final String DASHES = "-----";
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final int LONGEST_LABEL = 64;
  private static final int LEAST_LINE = 16;
  private static final int LONGEST_NUMBER = 6;
  private static final int LONGEST_PLACE = 120;
  private static final String LINES = "Private-Lines";
  private static final int LONGEST_WEB_KEY = 2000;
  private static final int LEAST_WEB_KEY = 40;

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
    String named = text.substring(label, close);
    if (!text.startsWith(DASHES, close)
        || (!named.contains("PRIVATE KEY") && !named.contains("Static key"))) {
      return Secret.NONE;
    }
    int body = close + DASHES.length();
    int end = bodyEnd(text, body);
    return end > body ? new Secret(at, end, KIND) : Secret.NONE;
  }

  /// The lines of a key of PuTTY.
  ///
  /// @param after index after `Private-Lines`
  private static Secret lines(String text, int after) {
    int count = Letters.skip(text, after, ": ", 3);
    int body = Letters.skip(text, count, "0123456789", 4);
    if (count == after || body == count) {
      return Secret.NONE;
    }
    int end = bodyEnd(text, body);
    int start = skipSeparators(text, body);
    return end > start ? new Secret(start, end, KIND) : Secret.NONE;
  }

  /// @param start where a word begins that may be the name of a part of a key
  /// @param end where it ends
  static Secret part(String text, int start, int end) {
    if (end - start == LINES.length() && text.startsWith(LINES, start)) {
      return lines(text, end);
    }
    boolean part = end - start == 1 && "dkpq".indexOf(text.charAt(start)) >= 0;
    boolean named = part && Letters.at(text, start - 1) == '"' && Letters.at(text, end) == '"';
    return named ? webKey(text, start, end) : Secret.NONE;
  }

  private static Secret webKey(String text, int start, int end) {
    int colon = Letters.skip(text, end + 1, " ", 4);
    int open = Letters.skip(text, colon + 1, " ", 4);
    if (Letters.at(text, colon) != ':' || Letters.at(text, open) != '"') {
      return Secret.NONE;
    }
    int stop = open + 1;
    while (stop < text.length()
        && stop - open < LONGEST_WEB_KEY
        && Letters.isJoined(text.charAt(stop))) {
      stop++;
    }
    boolean enough = stop - open > LEAST_WEB_KEY && Letters.at(text, stop) == '"';
    int first = Math.max(0, start - LONGEST_WEB_KEY);
    boolean web =
        enough && text.substring(first, Math.min(text.length(), stop + 200)).contains("\"kty\"");
    return web ? new Secret(open + 1, stop, KIND) : Secret.NONE;
  }

  private static boolean isLabel(char c) {
    return Letters.isPlain(c) || c == ' ';
  }

  private static int bodyEnd(String text, int from) {
    int end = from;
    boolean header = true;
    while (true) {
      int start = afterPlace(text, skipSeparators(text, end));
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

  /// The index after the file and the number of a line, as a search puts them out: `a.key-2-`.
  private static int afterPlace(String text, int start) {
    if (Letters.at(text, start - 1) != '\n') {
      return start;
    }
    int at = start;
    while (at < text.length()
        && at - start < LONGEST_PLACE
        && (Letters.isJoined(text.charAt(at)) || "./:".indexOf(text.charAt(at)) >= 0)) {
      char mark = text.charAt(at);
      int number = Letters.skip(text, at + 1, "0123456789", LONGEST_NUMBER);
      if (at > start
          && (mark == '-' || mark == ':')
          && number > at + 1
          && Letters.at(text, number) == mark) {
        return number + 1;
      }
      at++;
    }
    return start;
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
      } else if (c <= ' ' || "\"'`,>|#*".indexOf(c) >= 0 || (c == '+' && isAlone(text, at))) {
        at++;
      } else if (c == '-' && isRemoved(text, at)) {
        at++;
      } else if (Letters.isDigit(c) && numberEnd(text, at) > 0) {
        at = numberEnd(text, at);
      } else {
        break;
      }
    }
    return at;
  }

  /// Whether the dash says that a line was removed.
  private static boolean isRemoved(String text, int at) {
    char before = Letters.at(text, at - 1);
    boolean first = before == '\n' || (before == 'n' && Letters.at(text, at - 2) == '\\');
    return first && (isBase64(Letters.at(text, at + 1)) || text.startsWith(END, at + 1));
  }

  /// The index after the number of a line; 0 if there is none.
  private static int numberEnd(String text, int at) {
    int end = Letters.skip(text, at, "0123456789", LONGEST_NUMBER);
    if (Letters.at(text, at - 1) > ' ' && Letters.at(text, at - 2) != '\\') {
      return 0;
    }
    if ("\t\u2192:|".indexOf(Letters.at(text, end)) >= 0 && end < text.length()) {
      return end + 1;
    }
    if (text.startsWith("\\u2192", end)) {
      return end + 6;
    }
    return text.startsWith("\\t", end) ? end + 2 : 0;
  }

  private static boolean isAlone(String text, int at) {
    return at + 1 < text.length() && text.charAt(at + 1) <= ' ';
  }

  private static boolean isBase64(char c) {
    return Letters.isPlain(c) || c == '+' || c == '/' || c == '=';
  }
}
