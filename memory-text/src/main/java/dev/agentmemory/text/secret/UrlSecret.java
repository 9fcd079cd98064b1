package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;
import java.util.Set;

/// Finds the password of `scheme://user:password@host`, and a token that stands for both. The rest
/// of the URL is kept.
final class UrlSecret {

  private static final String KIND = "url_password";
  private static final int LEAST_TOKEN = 20;
  private static final int LEAST_HEX = 40;

  /// Characters of a random user that is a key beside its password.
  private static final int LEAST_PAIR_TOKEN = 24;

  /// What stands for a password if the user is a token.
  private static final Set<String> NO_PASSWORDS =
      Set.of("", "x", "X", "x-oauth-basic", "api_token");

  private static final int LONGEST_AUTHORITY = 4096;
  private static final int LONGEST_SCHEME = 20;

  /// Characters of a password up to one that ends an authority elsewhere.
  private static final int LONGEST_MIXED = 128;

  /// Parts of the schemes of databases and queues.
  private static final List<String> DATABASES =
      List.of("sql", "postgres", "mongo", "redis", "amqp", "mariadb", "clickhouse");

  private UrlSecret() {}

  /// @param at index of the colon after the scheme
  static Secret find(String text, int at) {
    if (at == 0 || !Letters.isPlain(text.charAt(at - 1))) {
      return Secret.NONE;
    }
    int colon = -1;
    int host = -1;
    int end = at + 3;
    boolean letters = false;
    int limit = Math.min(text.length(), end + LONGEST_AUTHORITY);
    for (; end < limit; end++) {
      char c = text.charAt(end);
      // Programs accept these in a password. After a port they end the authority.
      if (endsAuthority(c)
          && (!letters || host >= 0 || end - colon > LONGEST_MIXED || !isAccepted(text, at, c))) {
        break;
      }
      letters |= colon >= 0 && !Letters.isDigit(c);
      colon = c == ':' && colon < 0 ? end : colon;
      host = c == '@' ? end : host;
    }
    if (host < 0 || text.substring(at, host).contains(SecretMask.MASKED)) {
      return Secret.NONE;
    }
    if (colon < 0 || colon > host) {
      return token(text, at + 3, host);
    }
    String password = text.substring(colon + 1, host);
    Secret user = NO_PASSWORDS.contains(password) ? token(text, at + 3, colon) : Secret.NONE;
    if (user.found()) {
      return user;
    }
    boolean secret = SecretValues.isGiven(password) && !SecretValues.isWord(password);
    boolean pair =
        SecretValues.isRandom(text.substring(at + 3, colon), LEAST_PAIR_TOKEN)
            && !SecretValues.isUuid(text.substring(at + 3, colon));
    return secret ? new Secret(pair ? at + 3 : colon + 1, host, KIND) : Secret.NONE;
  }

  /// A user that is a token. A short one of hex digits only may be public.
  private static Secret token(String text, int from, int host) {
    String user = text.substring(from, host);
    boolean hex =
        user.length() < LEAST_HEX && user.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean secret = !hex && !SecretValues.isUuid(user) && SecretValues.isRandom(user, LEAST_TOKEN);
    return secret ? new Secret(from, host, KIND) : Secret.NONE;
  }

  /// Whether a character that ends an authority occurs in passwords that are not encoded: `#`, and
  /// in the URL of a database the others, too.
  ///
  /// @param at index of the colon after the scheme
  private static boolean isAccepted(String text, int at, char c) {
    if (c == '#') {
      return true;
    }
    String scheme = text.substring(Math.max(0, at - LONGEST_SCHEME), at);
    return "/?".indexOf(c) >= 0 && DATABASES.stream().anyMatch(scheme::contains);
  }

  private static boolean endsAuthority(char c) {
    return c <= ' ' || "/?#\"'`\\".indexOf(c) >= 0;
  }
}
