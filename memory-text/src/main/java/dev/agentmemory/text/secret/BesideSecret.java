package dev.agentmemory.text.secret;

/// Finds a random value in quotes that has no name, but stands in one line with a word like `api
/// key`: `Client("..."), # the API key`.
final class BesideSecret {

  private static final int AROUND = 100;
  private static final int LONGEST = 200;

  private BesideSecret() {}

  /// @param start where a word begins
  /// @param end where it ends
  static Secret find(SecretRules rules, String text, int start, int end) {
    char quote = Letters.at(text, start - 1);
    boolean quoted = Letters.isQuote(quote) && Letters.at(text, end) == quote;
    if (!quoted || end - start > LONGEST || !isArgument(text, start - 2)) {
      return Secret.NONE;
    }
    String value = text.substring(start, end);
    boolean secret =
        SecretValues.isRandom(value, 30)
            && !SecretValues.isUuid(value)
            && (isNamed(rules, text, Math.max(0, start - AROUND), start - 1)
                || isNamed(rules, text, end + 1, Math.min(text.length(), end + AROUND)));
    return secret ? new Secret(start, end, "secret") : Secret.NONE;
  }

  /// Whether the value is an argument of a call.
  private static boolean isArgument(String text, int before) {
    int at = before;
    while (at > 0 && Letters.isSpace(text.charAt(at))) {
      at--;
    }
    return "(,[".indexOf(Letters.at(text, at)) >= 0;
  }

  private static boolean isNamed(SecretRules rules, String text, int from, int to) {
    int at = from;
    while (at < to) {
      int end = at;
      while (end < to && Letters.isWord(text.charAt(end))) {
        end++;
      }
      if (end > at) {
        SecretName name = rules.names().find(text, at, end, -1);
        if (name.found()) {
          return true;
        }
      }
      at = end + 1;
    }
    return false;
  }
}
