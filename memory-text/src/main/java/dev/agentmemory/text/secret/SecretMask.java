package dev.agentmemory.text.secret;

import java.util.function.UnaryOperator;

/// Replaces secrets by `[masked:KIND]`: keys of cloud and model providers, tokens of code hosts,
/// private keys, JSON web tokens, bearer headers, passwords in URLs and the values of `password=`,
/// `secret:` and the like. A text without a secret is returned as the same instance, and masking
/// twice is masking once.
///
/// Idea: a text is read once from left to right. The rules are applied only at the few characters
/// of which every rule needs one. Rules look back a bounded number of characters, and look ahead
/// only over characters that are not read again for another position. So the time is linear in the
/// length.
public final class SecretMask implements UnaryOperator<String> {

  /// Prefix of a mask.
  static final String MASKED = "[masked:";

  private static final char[] ANCHORS = "_-:=IJB".toCharArray();
  private static final int NONE_LEFT = Integer.MAX_VALUE;

  @Override
  public String apply(String text) {
    // The JVM vectorises the search for one character, but not a loop with a check of each.
    int[] next = new int[ANCHORS.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = next(text, ANCHORS[i], 0);
    }
    StringBuilder masked = null;
    int copied = 0;
    while (true) {
      int first = first(next);
      int at = next[first];
      if (at == NONE_LEFT) {
        break;
      }
      Secret secret = at < copied ? Secret.NONE : find(text, ANCHORS[first], at, copied);
      if (secret.found()) {
        masked = masked == null ? new StringBuilder(text.length()) : masked;
        // A secret that begins later, such as after the user of a URL, may follow other secrets.
        int known = Math.max(copied, Math.min(at, secret.start()));
        masked
            .append(text, copied, known)
            .append(apply(text.substring(known, secret.start())))
            .append(name(secret.kind()));
        copied = secret.end();
      }
      next[first] = next(text, ANCHORS[first], Math.max(at + 1, copied));
    }
    return masked == null ? text : masked.append(text, copied, text.length()).toString();
  }

  private static int next(String text, char anchor, int from) {
    int at = text.indexOf(anchor, from);
    return at < 0 ? NONE_LEFT : at;
  }

  private static int first(int[] next) {
    int first = 0;
    for (int i = 1; i < next.length; i++) {
      first = next[i] < next[first] ? i : first;
    }
    return first;
  }

  /// Masks a named value, such as an entry of an event's metadata. The name may show that the whole
  /// value is a secret.
  public String apply(String name, String value) {
    String kind = SecretNames.kind(name, name.length());
    boolean secret = !kind.isEmpty() && SecretValues.isSecret(value, kind);
    return secret ? name(kind) : apply(value);
  }

  private static String name(String kind) {
    return MASKED + kind + "]";
  }

  /// @param from the text before this index was masked already
  private static Secret find(String text, char anchor, int at, int from) {
    Secret secret =
        switch (anchor) {
          case '_' -> KnownTokens.prefixed(text, at, from);
          case '-' -> dash(text, at, from);
          case 'I' -> KnownTokens.cloudKey(text, at, from);
          case 'J' -> KnownTokens.webToken(text, at, from);
          case 'B' -> KnownTokens.bearer(text, at, from);
          case '=' -> SecretAssignment.find(text, at);
          case ':' -> colon(text, at, from);
          default -> throw new AssertionError("no rule for " + anchor);
        };
    return secret.start() < from ? Secret.NONE : secret;
  }

  private static Secret dash(String text, int at, int from) {
    Secret block = text.startsWith("-", at + 1) ? PrivateKeyBlock.find(text, at) : Secret.NONE;
    return block.found() ? block : KnownTokens.prefixed(text, at, from);
  }

  private static Secret colon(String text, int at, int from) {
    if (text.startsWith("//", at + 1)) {
      Secret password = UrlPassword.find(text, at);
      return password.found() ? password : SecretAssignment.find(text, at);
    }
    Secret header = KnownTokens.header(text, at, from);
    return header.found() ? header : SecretAssignment.find(text, at);
  }
}
