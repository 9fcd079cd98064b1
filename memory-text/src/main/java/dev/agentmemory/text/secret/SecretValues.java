package dev.agentmemory.text.secret;

import java.util.Locale;
import java.util.Set;

/// Distinguishes a secret from other values after a name like `password`: references to variables,
/// calls, types, placeholders, counts and prose.
final class SecretValues {

  private static final int LEAST_WORD = 4;
  private static final int LEAST_TOLD_WORD = 6;
  private static final int LEAST_TOKEN = 8;
  private static final int LEAST_NUMBER = 10;
  private static final int LEAST_PHRASE = 20;

  /// Values that code, schemas, forms and logs contain there.
  private static final Set<String> WORDS =
      Set.of(
          """
          string str text varchar char bytes buffer number boolean object optional required
          any true false null none undefined void self this password passwd passphrase secret
          token hidden redacted masked hashed encrypted plaintext incorrect invalid wrong
          missing empty expired unknown unchanged changed default needed input await async
          return example placeholder
          """
              .split("\\s+"));

  private SecretValues() {}

  /// Whether it is a value, and not the name of a variable or a placeholder.
  static boolean isGiven(String value) {
    if (value.isEmpty() || "[<{(".indexOf(value.charAt(0)) >= 0 || isReference(value)) {
      return false;
    }
    return value.chars().anyMatch(c -> "*xX.•-_#?".indexOf(c) < 0);
  }

  /// Whether a value consists of references: `$NAME`, `${…}`, `$(…)`, `%s`, `%(name)s`, `%NAME%`.
  private static boolean isReference(String value) {
    char first = value.charAt(0);
    char second = value.length() > 1 ? value.charAt(1) : ' ';
    boolean variable = first == '$' && (Letters.isLetter(second) || "_({".indexOf(second) >= 0);
    boolean format = first == '%' && (second == '(' || value.length() == 2 || value.endsWith("%"));
    return variable || format || value.contains("${") || value.contains(SecretMask.MASKED);
  }

  /// Whether a value in quotes, or a named value, is a secret.
  static boolean isSecret(String value, String kind) {
    if (!isGiven(value) || value.contains("://")) {
      return false;
    }
    boolean password = kind.equals(SecretNames.PASSWORD);
    boolean digit = Letters.hasDigit(value, 0, value.length());
    if (value.chars().anyMatch(c -> c <= ' ')) {
      return password && digit;
    }
    if (isNumber(value)) {
      return value.length() >= (password ? LEAST_WORD : LEAST_NUMBER);
    }
    if (password) {
      return value.length() >= LEAST_WORD && !isWord(value);
    }
    boolean phrase = value.length() >= LEAST_PHRASE && !kind.equals("token");
    return value.length() >= LEAST_TOKEN && (digit || phrase);
  }

  /// Whether an unquoted value is a secret.
  ///
  /// @param tight whether it directly follows its `=`, as in a file of variables
  /// @param wordAllowed whether the text is not code, so that a plain word is a value, too
  static boolean isSecretBare(String value, String kind, boolean tight, boolean wordAllowed) {
    if (!isSecret(value, kind) || isCode(value)) {
      return false;
    }
    if (isIdentifier(value)) {
      boolean named = namesSecret(value);
      boolean plain = !Letters.hasDigit(value, 0, value.length());
      int least = tight ? LEAST_WORD : LEAST_TOLD_WORD;
      return plain
          ? wordAllowed && !named && kind.equals(SecretNames.PASSWORD) && value.length() >= least
          : (tight || !named) && value.length() >= least;
    }
    return tight || value.length() >= LEAST_TOLD_WORD;
  }

  private static boolean isWord(String value) {
    return WORDS.contains(value.toLowerCase(Locale.ROOT));
  }

  private static boolean isNumber(String value) {
    int at = "+-".indexOf(value.charAt(0)) >= 0 ? 1 : 0;
    while (at < value.length() && Letters.isDigit(value.charAt(at))) {
      at++;
    }
    return at == value.length();
  }

  /// `getpass(`, `os.environ[`, `self.token`, `req.body?.password`, `!vault`.
  private static boolean isCode(String value) {
    int open = 0;
    boolean dotted = false;
    while (open < value.length()
        && (isName(value.charAt(open)) || ".?!>-".indexOf(value.charAt(open)) >= 0)) {
      dotted |= value.charAt(open) == '.';
      open++;
    }
    if (open < value.length()) {
      return open > 0 && "([".indexOf(value.charAt(open)) >= 0;
    }
    boolean tag = value.charAt(0) == '!' && isIdentifier(value.substring(1));
    boolean member = dotted && Letters.isLetter(value.charAt(0));
    return tag || (member && (!Letters.hasDigit(value, 0, open) || namesSecret(value)));
  }

  private static boolean isIdentifier(String value) {
    return !value.isEmpty() && value.chars().allMatch(c -> isName((char) c));
  }

  private static boolean isName(char c) {
    return Letters.isPlain(c) || c == '_';
  }

  private static boolean namesSecret(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    return lower.contains("passw")
        || lower.contains("token")
        || lower.contains("secret")
        || lower.contains("pwd")
        || lower.endsWith("key");
  }
}
