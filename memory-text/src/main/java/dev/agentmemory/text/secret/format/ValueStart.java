package dev.agentmemory.text.secret.format;

import java.util.List;
import java.util.Set;

/// What stands between a name and its value besides a sign.
public final class ValueStart {

  private static final List<String> KEYWORDS = List.of("with: ", ":with => ", "value: ", "text: ");

  private static final List<String> REGISTERED =
      List.of("REG_SZ", "REG_EXPAND_SZ", "REG_MULTI_SZ", "/t REG_SZ /d");

  /// How a field is found.
  private static final Set<String> LOCATORS = Set.of("id", "name", "css", "xpath", "identifier");

  private static final int LONGEST_LOCATOR = 12;

  private static final int LONGEST_NAME = 64;

  /// Of blanks before a value.
  private static final int MOST_BETWEEN = 24;

  private ValueStart() {}

  /// Without the letter of a literal: `N'value'`, `b"value"`, `@"value"`.
  public static int prefix(String text, int from) {
    boolean prefixed =
        "NbruL@".indexOf(Letters.at(text, from)) >= 0
            && "\"'".indexOf(Letters.at(text, from + 1)) >= 0;
    return prefixed ? from + 1 : from;
  }

  /// The index after `with:` and `:with =>`.
  public static int keyword(String text, int from) {
    for (String keyword : KEYWORDS) {
      if (text.startsWith(keyword, from)) {
        return from + keyword.length();
      }
    }
    return from;
  }

  /// Whether a word is the next field of a line of a log: `method=password result=ok`.
  public static boolean isPair(String text, int from) {
    int at = from;
    while (Letters.isWord(Letters.at(text, at)) && at - from < LONGEST_NAME) {
      at++;
    }
    return at > from && Letters.at(text, at) == '=';
  }

  /// The index after the type of a value of the registry of Windows: `REG_SZ`, `/t REG_SZ /d`.
  public static int registered(String text, int from) {
    for (String type : REGISTERED) {
      if (text.startsWith(type, from)) {
        return Letters.skip(text, from + type.length(), " ", MOST_BETWEEN);
      }
    }
    return from;
  }

  /// The index after what tells the place of a field: `id=password`.
  public static int located(String text, int from) {
    int sign = Letters.indexOf(text, '=', from, from + LONGEST_LOCATOR);
    int gap = Letters.indexOf(text, ' ', from, from + LONGEST_NAME);
    boolean locator = sign > from && gap > sign && LOCATORS.contains(text.substring(from, sign));
    return locator ? Letters.skip(text, gap, " \t", MOST_BETWEEN) : from;
  }
}
