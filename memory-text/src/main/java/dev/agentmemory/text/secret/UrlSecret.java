package dev.agentmemory.text.secret;

/// Finds the password of `scheme://user:password@host`, and a token that stands for both. The rest
/// of the URL is kept.
final class UrlSecret {

  private static final String KIND = "url_password";
  private static final int LEAST_TOKEN = 20;
  private static final int LONGEST_AUTHORITY = 4096;

  private UrlSecret() {}

  /// @param at index of the colon after the scheme
  static Secret find(String text, int at) {
    if (at == 0 || !Letters.isPlain(text.charAt(at - 1))) {
      return Secret.NONE;
    }
    int colon = -1;
    int host = -1;
    int end = at + 3;
    int limit = Math.min(text.length(), end + LONGEST_AUTHORITY);
    for (; end < limit && !endsAuthority(text.charAt(end)); end++) {
      char c = text.charAt(end);
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
    boolean secret = SecretValues.isGiven(password) && !SecretValues.isWord(password);
    return secret ? new Secret(colon + 1, host, KIND) : Secret.NONE;
  }

  /// A user that is a token. One of hex digits only may be public.
  private static Secret token(String text, int from, int host) {
    String user = text.substring(from, host);
    boolean hex = user.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean secret = !hex && !SecretValues.isUuid(user) && SecretValues.isRandom(user, LEAST_TOKEN);
    return secret ? new Secret(from, host, KIND) : Secret.NONE;
  }

  private static boolean endsAuthority(char c) {
    return c <= ' ' || "/?#\"'`\\".indexOf(c) >= 0;
  }
}
