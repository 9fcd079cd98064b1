package dev.agentmemory.engine.config;

import java.util.regex.Pattern;

/// Keeps credentials out of everything that is shown.
public final class Secrets {

  private static final String HIDDEN = "***";

  /// The last word of keys that would hold a secret, were there such keys.
  private static final Pattern KEY =
      Pattern.compile("(.*[._-])?(apikey|key|token|secret|password|passwd)");

  private static final Pattern USER = Pattern.compile("//[^/@\\s]*@");
  private static final Pattern QUERY = Pattern.compile("([?&][^=&\\s]*=)[^&#\\s]+");

  /// Tokens of well-known makers, and anything as long and mixed as they are.
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\b(sk|pk|rk|ghp|gho|github_pat|glpat|xox[a-z]|AKIA|AIza)[A-Za-z0-9_-]{12,}"
              + "|\\b(?=[A-Za-z_-]*\\d)(?=[\\d_-]*[A-Za-z])[A-Za-z0-9_-]{32,}");

  private Secrets() {}

  /// Whether a setting of this name would be a secret itself.
  public static boolean namesOne(String key) {
    return KEY.matcher(key).matches();
  }

  /// The text without what looks like a secret in it.
  public static String hidden(String text) {
    String address = USER.matcher(text).replaceAll("//" + HIDDEN + "@");
    String asked = QUERY.matcher(address).replaceAll("$1" + HIDDEN);
    return TOKEN.matcher(asked).replaceAll(HIDDEN);
  }
}
