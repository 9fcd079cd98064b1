package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.Locale;

/// Finds the credentials of an `Authorization` header. The name of the scheme is kept.
final class HeaderSecret {

  private static final int LONGEST_SCHEME = 24;
  private static final int LONGEST_LOOK = 256;
  private static final int LEAST = 8;
  private static final int LEAST_ALONE = 16;

  private HeaderSecret() {}

  /// @param after index after the colon
  static Secret find(String text, int after) {
    int from = Letters.skip(text, after, " \t\"'`\\", LONGEST_SCHEME);
    int scheme = from;
    while (scheme < text.length()
        && scheme - from < LONGEST_SCHEME
        && Letters.isJoined(text.charAt(scheme))) {
      scheme++;
    }
    if (scheme == from
        || scheme == text.length()
        || !Letters.isLetter(text.charAt(from))
        || Letters.at(text, scheme) != ' ') {
      return credentials(text, from, LEAST_ALONE, "authorization");
    }
    String name = text.substring(from, scheme).toLowerCase(Locale.ROOT);
    int start = Letters.skip(text, scheme, " ", LONGEST_SCHEME);
    return switch (name) {
      case "bearer" -> credentials(text, start, LEAST_ALONE, "bearer");
      case "basic" -> credentials(text, start, LEAST, "basic");
      case "digest", "aws4-hmac-sha256", "oauth", "hawk", "signature" -> {
        Secret all = parameters(text, start);
        yield all.found() ? all : credentials(text, start, LEAST_ALONE, "authorization");
      }
      default -> credentials(text, start, LEAST_ALONE, "authorization");
    };
  }

  private static Secret credentials(String text, int start, int least, String kind) {
    int end = end(text, start, Math.min(text.length(), start + LONGEST_LOOK));
    boolean secret =
        end - start >= least
            && (Letters.hasDigit(text, start, end)
                || (kind.equals("basic") && hasCapitalInside(text, start, end))
                || SecretValues.isScrambled(text.substring(start, end)));
    // More is read only of what is masked, so that no text is read repeatedly.
    return secret ? new Secret(start, end(text, end, text.length()), kind) : Secret.NONE;
  }

  private static boolean hasCapitalInside(String text, int start, int end) {
    for (int at = start + 1; at < end; at++) {
      if (Letters.isUpper(text.charAt(at)) && Letters.isLower(text.charAt(at - 1))) {
        return true;
      }
    }
    return false;
  }

  private static int end(String text, int start, int limit) {
    int end = start;
    while (end < limit && isCredential(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isCredential(char c) {
    return Letters.isJoined(c) || "._~+/=:%!".indexOf(c) >= 0;
  }

  /// `name="value", name="value"` up to the end of the line.
  private static Secret parameters(String text, int start) {
    int end = start;
    while (end < text.length() && end - start < LONGEST_LOOK * 8 && text.charAt(end) >= ' ') {
      end++;
    }
    boolean secret = text.substring(start, end).contains("=") && Letters.hasDigit(text, start, end);
    return secret ? new Secret(start, end, "authorization") : Secret.NONE;
  }
}
