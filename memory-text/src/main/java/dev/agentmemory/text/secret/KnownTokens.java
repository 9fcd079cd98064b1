package dev.agentmemory.text.secret;

import java.util.ArrayList;
import java.util.List;

/// Finds secrets with a known format.
final class KnownTokens {

  private static final int CLOUD_ID = 16;
  private static final int GOOGLE_KEY = 35;
  private static final int LEAST_PART = 10;
  private static final int LEAST_BEARER = 16;
  private static final int LEAST_BASIC = 8;
  private static final String HEADER = "authorization";

  /// The prefix of an issuer's tokens.
  ///
  /// @param least minimum number of characters after the prefix
  /// @param joined whether `_` and `-` belong to the token
  /// @param digit whether one of them has to be a digit, because ordinary words could follow, too
  private record Prefix(String text, int least, boolean joined, boolean digit, String kind) {}

  private static final List<Prefix> PREFIXES =
      List.of(
          new Prefix("ghp_", 30, false, false, "github_token"),
          new Prefix("gho_", 30, false, false, "github_token"),
          new Prefix("ghu_", 30, false, false, "github_token"),
          new Prefix("ghs_", 30, false, false, "github_token"),
          new Prefix("ghr_", 30, false, false, "github_token"),
          new Prefix("github_pat_", 30, true, true, "github_token"),
          new Prefix("glpat-", 20, true, false, "gitlab_token"),
          new Prefix("gldt-", 20, true, false, "gitlab_token"),
          new Prefix("glrt-", 20, true, false, "gitlab_token"),
          new Prefix("sk-", 20, true, true, "api_key"),
          new Prefix("xai-", 40, true, true, "api_key"),
          new Prefix("gsk_", 40, false, true, "api_key"),
          new Prefix("hf_", 30, false, false, "huggingface_token"),
          new Prefix("npm_", 30, false, false, "npm_token"),
          new Prefix("pypi-", 40, true, true, "pypi_token"),
          new Prefix("sk_live_", 16, false, false, "stripe_key"),
          new Prefix("sk_test_", 16, false, false, "stripe_key"),
          new Prefix("rk_live_", 16, false, false, "stripe_key"),
          new Prefix("rk_test_", 16, false, false, "stripe_key"),
          new Prefix("whsec_", 16, false, false, "stripe_key"),
          new Prefix("xoxa-", 10, true, true, "slack_token"),
          new Prefix("xoxb-", 10, true, true, "slack_token"),
          new Prefix("xoxe-", 10, true, true, "slack_token"),
          new Prefix("xoxp-", 10, true, true, "slack_token"),
          new Prefix("xoxr-", 10, true, true, "slack_token"),
          new Prefix("xoxs-", 10, true, true, "slack_token"),
          new Prefix("xapp-", 10, true, true, "slack_token"),
          new Prefix("dop_v1_", 40, false, true, "digitalocean_token"));

  /// The prefixes by the character before their last one.
  private static final List<List<Prefix>> BY_TURN = new ArrayList<>();

  static {
    for (int i = 0; i < 128; i++) {
      int c = i;
      BY_TURN.add(
          PREFIXES.stream().filter(p -> p.text().charAt(p.text().length() - 2) == c).toList());
    }
  }

  private KnownTokens() {}

  /// @param at where the prefix ends, at its `_` or `-`
  /// @param from the text before this index is masked already
  static Secret prefixed(String text, int at, int from) {
    char before = at > 0 ? text.charAt(at - 1) : ' ';
    for (Prefix prefix : before < BY_TURN.size() ? BY_TURN.get(before) : List.<Prefix>of()) {
      int start = at + 1 - prefix.text().length();
      if (start >= 0 && text.startsWith(prefix.text(), start) && startsRun(text, start, from)) {
        int end = runEnd(text, at + 1, prefix.joined());
        boolean enough = end - at > prefix.least();
        boolean random = !prefix.digit() || Letters.hasDigit(text, at + 1, end);
        return enough && random ? new Secret(start, end, prefix.kind()) : Secret.NONE;
      }
    }
    return Secret.NONE;
  }

  /// `AKIA…`, `ASIA…` and `AIza…`.
  ///
  /// @param at where the `I` stands
  static Secret cloudKey(String text, int at, int from) {
    if (text.startsWith("AIza", at - 1) && startsCloudKey(text, at - 1, from)) {
      int end = runEnd(text, at + 3, true);
      return end - at - 3 == GOOGLE_KEY ? new Secret(at - 1, end, "google_key") : Secret.NONE;
    }
    boolean access = text.startsWith("AKIA", at - 2) || text.startsWith("ASIA", at - 2);
    if (!access || !startsCloudKey(text, at - 2, from)) {
      return Secret.NONE;
    }
    int end = at + 2;
    while (end < text.length() && Letters.isUpperOrDigit(text.charAt(end))) {
      end++;
    }
    boolean whole = end - at - 2 == CLOUD_ID && !startsInside(text, end);
    return whole ? new Secret(at - 2, end, "aws_key") : Secret.NONE;
  }

  private static boolean startsInside(String text, int end) {
    return end < text.length() && Letters.isPlain(text.charAt(end));
  }

  /// Excludes base64 text, in which any sequence of characters can occur.
  private static boolean startsCloudKey(String text, int start, int from) {
    return startsRun(text, start, from) && (start == 0 || "+/".indexOf(text.charAt(start - 1)) < 0);
  }

  /// `eyJ….eyJ….…`: header, payload and, unless it was truncated, signature.
  ///
  /// @param at index of the `J`
  static Secret webToken(String text, int at, int from) {
    int start = at - 2;
    boolean begins =
        text.startsWith("ey", start)
            && startsRun(text, start, from)
            && (start == 0 || text.charAt(start - 1) != '.');
    int head = begins ? runEnd(text, at, true) : at;
    if (head - start < LEAST_PART || !text.startsWith(".", head)) {
      return Secret.NONE;
    }
    int content = runEnd(text, head + 1, true);
    if (content - head <= LEAST_PART) {
      return Secret.NONE;
    }
    int end = text.startsWith(".", content) ? runEnd(text, content + 1, true) : content;
    return new Secret(start, end, "jwt");
  }

  /// `Bearer …`; the scheme is kept.
  ///
  /// @param at where the scheme begins
  static Secret bearer(String text, int at, int from) {
    if (!text.startsWith("earer ", at + 1) || !startsRun(text, at, from)) {
      return Secret.NONE;
    }
    return credentials(text, at + "bearer ".length(), LEAST_BEARER, "bearer");
  }

  /// `authorization: bearer …` and `Authorization: Basic …`, in any case.
  ///
  /// @param at index of the colon
  static Secret header(String text, int at, int from) {
    int end = at > 0 && text.charAt(at - 1) == '"' ? at - 1 : at;
    int start = end - HEADER.length();
    if (start < from || !text.regionMatches(true, start, HEADER, 0, HEADER.length())) {
      return Secret.NONE;
    }
    int scheme = at + 1;
    while (scheme < text.length() && scheme - at < 4 && " \"".indexOf(text.charAt(scheme)) >= 0) {
      scheme++;
    }
    if (text.regionMatches(true, scheme, "bearer ", 0, 7)) {
      return credentials(text, scheme + 7, LEAST_BEARER, "bearer");
    }
    boolean basic = text.regionMatches(true, scheme, "basic ", 0, 6);
    return basic ? credentials(text, scheme + 6, LEAST_BASIC, "basic") : Secret.NONE;
  }

  private static Secret credentials(String text, int start, int least, String kind) {
    int end = start;
    while (end < text.length() && isHeader(text.charAt(end))) {
      end++;
    }
    boolean secret = end - start >= least && Letters.hasDigit(text, start, end);
    return secret ? new Secret(start, end, kind) : Secret.NONE;
  }

  private static boolean isHeader(char c) {
    return Letters.isJoined(c) || "._~+/=".indexOf(c) >= 0;
  }

  private static boolean startsRun(String text, int start, int from) {
    return start <= from || !Letters.isJoined(text.charAt(start - 1));
  }

  private static int runEnd(String text, int from, boolean joined) {
    int end = from;
    while (end < text.length()
        && (joined ? Letters.isJoined(text.charAt(end)) : Letters.isPlain(text.charAt(end)))) {
      end++;
    }
    return end;
  }
}
