package dev.agentmemory.text.secret;

import java.util.ArrayList;
import java.util.List;

/// Names of settings and variables that contain secrets, such as `DB_PASSWORD`, `apiKey` or
/// `aws_secret_access_key`. Only the end of a name is compared, without case, `_` and `-`.
final class SecretNames {

  static final String PASSWORD = "password";
  static final String SECRET = "secret";
  private static final String TOKEN = "token";
  private static final String API_KEY = "api_key";

  /// The end of a name.
  ///
  /// @param word in lower case, without `_` and `-`
  /// @param inside whether it also matches directly after another letter, as in `dbpassword`
  private record Ending(String word, boolean inside, String kind) {}

  private static final List<Ending> ENDINGS =
      List.of(
          new Ending("password", true, PASSWORD),
          new Ending("passwd", true, PASSWORD),
          new Ending("passphrase", true, PASSWORD),
          new Ending("pwd", false, PASSWORD),
          new Ending("secretaccesskey", true, "aws_secret"),
          new Ending("sharedaccesskey", true, "azure_key"),
          new Ending("accountkey", false, "azure_key"),
          new Ending("secret", false, SECRET),
          new Ending("secretkey", true, SECRET),
          new Ending("clientsecret", true, SECRET),
          new Ending("apikey", true, API_KEY),
          new Ending("accesskey", true, API_KEY),
          new Ending("privatekey", true, "private_key"),
          new Ending("authtoken", true, TOKEN),
          new Ending("accesstoken", true, TOKEN),
          new Ending("refreshtoken", true, TOKEN),
          new Ending("token", false, TOKEN));

  /// The endings by their last letter.
  private static final List<List<Ending>> BY_LAST = new ArrayList<>();

  static {
    for (char last = 'a'; last <= 'z'; last++) {
      char c = last;
      BY_LAST.add(
          ENDINGS.stream().filter(e -> e.word().charAt(e.word().length() - 1) == c).toList());
    }
  }

  private SecretNames() {}

  /// The kind of secret that a name indicates.
  ///
  /// @param end index after the name
  /// @return empty when it indicates none
  static String kind(String text, int end) {
    if (end == 0 || !Letters.isLetter(text.charAt(end - 1))) {
      return "";
    }
    for (Ending ending : BY_LAST.get((text.charAt(end - 1) | 0x20) - 'a')) {
      int start = start(text, end, ending.word());
      if (start >= 0 && (ending.inside() || startsWord(text, start))) {
        return ending.kind();
      }
    }
    return isShortPassword(text, end) ? PASSWORD : "";
  }

  /// Matches `DB_PASS`. The word alone usually means that something succeeded.
  private static boolean isShortPassword(String text, int end) {
    return end > 4 && text.regionMatches(true, end - 5, "_pass", 0, 5);
  }

  /// The start of a word that ends at `end`; -1 when the text there is another word.
  private static int start(String text, int end, String word) {
    int at = end;
    for (int i = word.length() - 1; i >= 0; i--) {
      at--;
      if (at > 0 && i < word.length() - 1 && (text.charAt(at) == '_' || text.charAt(at) == '-')) {
        at--;
      }
      if (at < 0 || (text.charAt(at) | 0x20) != word.charAt(i)) {
        return -1;
      }
    }
    return at;
  }

  private static boolean startsWord(String text, int start) {
    char before = start > 0 ? text.charAt(start - 1) : ' ';
    boolean hump = Letters.isUpper(text.charAt(start)) && !Letters.isUpper(before);
    return hump || !Letters.isLetter(before);
  }
}
