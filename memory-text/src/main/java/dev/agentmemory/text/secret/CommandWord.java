package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;

/// A command one of whose words is a secret: `wandb login X`, `htpasswd -b file user X`, `ACL
/// SETUSER user >X`.
///
/// @param kind the kind that the mask names
/// @param command its words, the first of which is a program or the name of a statement
/// @param place which word after the command is the first that can be the secret, from 1 on; 0 if
///   the secret begins with `lead`
/// @param lead what precedes the secret in its word
record CommandWord(String kind, String command, int place, String lead) {

  private static final int LONGEST = 300;
  private static final int LONGEST_VALUE = 1024;
  private static final int LEAST_LETTERS = 20;
  private static final String USER = "user";

  /// In place of a lead: the command puts out the secret, which stands in the next line.
  private static final String BELOW = "below";

  private static final int LEAST_BELOW = 8;
  private static final int LEAST_RANDOM = 16;

  /// Words by which the secret can stand later than told, after the value of an option.
  private static final int MOST_MORE = 2;

  /// @param start where the command begins
  Secret find(String text, int start) {
    int at = start + command.length();
    if (!text.startsWith(command, start) || Letters.isJoined(Letters.at(text, at))) {
      return Secret.NONE;
    }
    if (lead.equals(BELOW)) {
      return below(text, at);
    }
    if (!Letters.isSpace(Letters.at(text, at))) {
      return Secret.NONE;
    }
    int limit = Math.min(text.length(), at + LONGEST);
    for (int word = 1; at < limit; at++) {
      at = Letters.skip(text, at, " \t", LONGEST);
      int open = Letters.skip(text, at, "\\", 4);
      char quote = Letters.at(text, open);
      boolean quotes = Letters.isQuote(quote);
      int from = quotes ? open + 1 : at;
      int stop = end(text, from, quotes ? quote : ' ');
      if (stop == from && !quotes) {
        return Secret.NONE;
      }
      if (lead.equals("\"")) {
        // What a script types into a prompt ends with the key that submits it.
        boolean typed =
            quotes && "\\".equals(text.substring(stop, Math.min(stop + 1, text.length())));
        return typed && isTold(text, from, stop) ? new Secret(from, stop, kind) : Secret.NONE;
      }
      if (place == 0) {
        Secret secret = led(text, from, stop);
        if (secret.found()) {
          return secret;
        }
      } else if (quotes || !isOption(text, from, stop)) {
        if (word > place + MOST_MORE) {
          return Secret.NONE;
        }
        if (word >= place && isSecret(text, from, stop)) {
          return new Secret(from, stop, kind);
        }
        word++;
      }
      at = quotes ? Letters.skip(text, stop, "\\rn\"'`", 8) - 1 : stop - 1;
      at = Math.max(at, from);
      if (Letters.at(text, at + 1) > ' ' && !quotes) {
        return Secret.NONE;
      }
    }
    return Secret.NONE;
  }

  /// The line below the command, if it is one word that looks like a secret.
  private Secret below(String text, int after) {
    int line = Letters.indexOf(text, '\n', after, after + LONGEST);
    int from = line + 1;
    int stop = from;
    while (line >= 0
        && stop < text.length()
        && stop - from < LONGEST_VALUE
        && text.charAt(stop) > ' ') {
      stop++;
    }
    boolean alone = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    if (line < 0 || !alone || stop - from < LEAST_BELOW) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    boolean random =
        SecretValues.isRandom(value, LEAST_RANDOM)
            || (SecretValues.isMixedUp(value) && SecretValues.isTold(value, Value.ANY))
            || SecretValues.isScrambled(value);
    boolean secret =
        SecretValues.isGiven(value)
            && random
            && !SecretValues.isUuid(value)
            && !value.contains("://")
            && !SecretValues.isCode(value);
    return secret ? new Secret(from, stop, kind) : Secret.NONE;
  }

  /// The secret after the lead in a word, after the user and a mark, or in the next word.
  private Secret led(String text, int from, int stop) {
    int start = from + lead.length();
    int end = stop;
    if (lead.startsWith(USER) && lead.length() == USER.length() + 1) {
      int mark = mark(text, from, stop);
      start = mark < 0 ? stop : mark + 1;
      int host = Letters.indexOf(text, '@', start, stop);
      if (mark > from && isHexPair(text, from, mark, stop)) {
        return new Secret(from, stop, kind);
      }
      end = host > start ? host : stop;
      boolean told = start < end && SecretValues.isTold(text.substring(start, end), Value.ANY);
      return told ? new Secret(start, end, kind) : Secret.NONE;
    }
    if (lead.endsWith(" ")) {
      int next = Letters.skip(text, stop, " ", LONGEST);
      start = Letters.skip(text, next, "\"'", 1);
      end = end(text, start, start > next ? text.charAt(next) : ' ');
      boolean option =
          text.startsWith(lead, from)
              && stop - from == lead.length() - 1
              && (isTold(text, start, end) || (start > next && isPhrase(text, start, end)));
      return option ? new Secret(start, end, kind) : Secret.NONE;
    }
    if (!text.startsWith(lead, from)) {
      return Secret.NONE;
    }
    char quote = Letters.at(text, start);
    if (start == stop && Letters.isQuote(quote)) {
      // `/p:'X'`.
      start++;
      end = end(text, start, quote);
    }
    return isSecret(text, start, end) ? new Secret(start, end, kind) : Secret.NONE;
  }

  /// Whether what is on both sides of a mark is hex of the same length, so that both are secret.
  private static boolean isHexPair(String text, int from, int mark, int stop) {
    String pair = text.substring(from, mark) + text.substring(mark + 1, stop);
    return mark - from == stop - mark - 1
        && mark - from >= LEAST_BELOW
        && pair.chars().allMatch(c -> Character.digit(c, 16) >= 0);
  }

  /// The index of the mark between user and secret; -1 if there is none. An option has another `=`
  /// before it.
  private int mark(String text, int from, int stop) {
    char mark = lead.charAt(USER.length());
    int at = Letters.indexOf(text, mark, from + 1, stop);
    if (mark == '=' && text.charAt(from) == '-' && at >= 0) {
      at = Letters.indexOf(text, mark, at + 1, stop);
    }
    return at >= 0 && Letters.at(text, at + 1) == '/' ? -1 : at;
  }

  /// `-x`, `/x`, but no path.
  private static boolean isOption(String text, int from, int stop) {
    char first = text.charAt(from);
    return first == '-' || (first == '/' && Letters.indexOf(text, '/', from + 1, stop) < 0);
  }

  private static int end(String text, int from, char quote) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit && !ends(text, stop, quote)) {
      stop++;
    }
    return stop;
  }

  private static boolean ends(String text, int at, char quote) {
    char c = text.charAt(at);
    if (c == '&' && Letters.isAmong(text, at)) {
      return false;
    }
    return c == '\n'
        || (quote == ' '
            ? c <= ' ' || "\"'`;|&)".indexOf(c) >= 0
            : c == quote || (c == '\\' && quote != '\''));
  }

  private boolean isSecret(String text, int from, int stop) {
    if (stop <= from || stop - from == LONGEST_VALUE) {
      return false;
    }
    String value = text.substring(from, stop);
    if (!SecretValues.isGiven(value) || value.contains("://") || value.contains("\\")) {
      return false;
    }
    return lead.isEmpty() ? isTold(text, from, stop) : SecretValues.isSecret(value, Value.ANY);
  }

  /// Whether what is in quotes has spaces and a digit.
  private static boolean isPhrase(String text, int from, int stop) {
    String value = text.substring(from, stop);
    return value.indexOf(' ') > 0 && SecretValues.isSecret(value, Value.ANY);
  }

  private static boolean isTold(String text, int from, int stop) {
    String value = text.substring(from, stop);
    return (SecretValues.isGiven(value) && SecretValues.isTold(value, Value.ANY))
        || (value.length() >= LEAST_LETTERS && SecretValues.isRandom(value, LEAST_LETTERS));
  }
}
