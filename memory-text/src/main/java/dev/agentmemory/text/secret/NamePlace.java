package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import java.util.List;
import java.util.Locale;

/// Where a name stands that tells that a secret follows.
///
/// @param text that has the name
/// @param start index of the name
/// @param end index after it
record NamePlace(String text, int start, int end) {

  /// Most spaces and quotes on either side of the sign.
  private static final int MOST_BETWEEN = 24;

  private static final int LONGEST_NAME = 64;

  /// Characters of a type, or of the attributes of an element.
  private static final int LONGEST_TYPE = 80;

  private static final int COOKIE_LINE = 300;

  /// What follows the value of a cookie that a server sets.
  private static final List<String> COOKIE_ATTRIBUTES =
      List.of("path=/", "httponly", "samesite=", "max-age=", "expires=");

  boolean isQuoted() {
    return Letters.isQuote(Letters.at(text, start - 1)) || Letters.isQuote(Letters.at(text, end));
  }

  /// Whether the line speaks of a cookie before the name.
  boolean isCookie() {
    for (int at = start - 1; at > start - COOKIE_LINE && at >= 1 && text.charAt(at) != '\n'; at--) {
      if (text.regionMatches(true, at - 6, "cookie", 0, 6) || text.startsWith(" -b ", at - 4)) {
        return true;
      }
    }
    int semicolon =
        Letters.at(text, end) == '=' ? Letters.indexOf(text, ';', end, end + COOKIE_LINE) : -1;
    return semicolon > 0
        && COOKIE_ATTRIBUTES.stream()
            .anyMatch(word -> text.regionMatches(true, semicolon + 2, word, 0, word.length()));
  }

  /// Whether the name is the first word of its line, or follows `export` or the mark of a change.
  boolean startsLine() {
    int at = Math.max(start, end - LONGEST_NAME);
    char before = at == 0 ? '\n' : text.charAt(at - 1);
    if (before == '+' || before == '-') {
      before = at == 1 ? '\n' : text.charAt(at - 2);
    }
    return before == '\n'
        || (at >= 7 && text.startsWith("export ", at - 7))
        || (at >= 4 && text.startsWith("ENV ", at - 4));
  }

  /// Whether the name begins an element, maybe after a prefix: `<wsse:Password`.
  boolean isElement() {
    int at = start - 1;
    if (Letters.at(text, at) == ':') {
      int least = at - MOST_BETWEEN;
      at--;
      while (at > least && Letters.isJoined(Letters.at(text, at))) {
        at--;
      }
    }
    return Letters.at(text, at) == '<';
  }

  /// Whether the name is part of a statement of SQL: `ALTER USER a WITH PASSWORD 'x'`.
  boolean isStatement() {
    boolean upper = text.startsWith("PASSWORD '", end - "PASSWORD".length());
    String before = text.substring(Math.max(0, start - LONGEST_TYPE), start);
    return (upper && (before.contains("USER ") || before.contains("ROLE ")))
        || before.toLowerCase(Locale.ROOT).endsWith("config set ");
  }

  /// Whether the name is one of code and no word of a sentence, as in `storePassword "x"`.
  boolean isIdentifier() {
    for (int at = start + 1; at < end; at++) {
      boolean hump = Letters.isUpper(text.charAt(at)) && Letters.isLower(text.charAt(at - 1));
      if (hump || text.charAt(at) == '_') {
        return true;
      }
    }
    return false;
  }

  /// Whether the name stands in brackets of a selector: `'input[name=password]', 'x'`.
  boolean isSelected(int at) {
    return Letters.at(text, end) == ']' && Letters.isQuote(Letters.at(text, at - 1));
  }

  /// Whether the name is one of a method that sets a value: `.setPassword("x")`.
  boolean isSetter(int after) {
    int close = Letters.skip(text, after, "\"'", 1);
    boolean method = Letters.at(text, end) == '(' && close == after + 1;
    return method && (text.startsWith("set", start) || text.startsWith("with", start));
  }

  /// Whether the name is one of a constant or a variable: `'DB_PASSWORD', 'x'`.
  static boolean isConstant(String text, int from, int stop) {
    boolean joined = false;
    for (int at = from; at < stop; at++) {
      joined |= text.charAt(at) == '_';
      if (Letters.isLower(text.charAt(at))) {
        return false;
      }
    }
    return joined;
  }
}
