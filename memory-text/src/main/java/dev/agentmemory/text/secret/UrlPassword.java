package dev.agentmemory.text.secret;

/// Finds the password of `scheme://user:password@host`. The rest of the URL is kept.
final class UrlPassword {

  private static final String KIND = "url_password";

  private UrlPassword() {}

  /// @param at index of the colon after the scheme
  static Secret find(String text, int at) {
    if (!text.startsWith("//", at + 1) || at == 0 || !Letters.isPlain(text.charAt(at - 1))) {
      return Secret.NONE;
    }
    int colon = -1;
    int host = -1;
    int end = at + 3;
    for (; end < text.length() && !endsAuthority(text.charAt(end)); end++) {
      char c = text.charAt(end);
      colon = c == ':' && colon < 0 ? end : colon;
      host = c == '@' ? end : host;
    }
    boolean secret =
        colon >= 0
            && host > colon + 1
            && SecretValues.isGiven(text.substring(colon + 1, host))
            && !text.substring(at, host).contains(SecretMask.MASKED);
    return secret ? new Secret(colon + 1, host, KIND) : Secret.NONE;
  }

  private static boolean endsAuthority(char c) {
    return c <= ' ' || "/?#\"'`\\".indexOf(c) >= 0;
  }
}
