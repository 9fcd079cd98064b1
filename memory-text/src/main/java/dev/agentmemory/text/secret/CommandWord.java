package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;

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

  /// Words by which the secret can stand later than told, after the value of an option.
  private static final int MOST_MORE = 2;

  /// @param start where the command begins
  Secret find(String text, int start) {
    int at = start + command.length();
    if (!text.startsWith(command, start) || !Letters.isSpace(Letters.at(text, at))) {
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
        if (text.startsWith(lead, from) && isSecret(text, from + lead.length(), stop)) {
          return new Secret(from + lead.length(), stop, kind);
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

  /// `-x`, `/x`, but no path.
  private static boolean isOption(String text, int from, int stop) {
    char first = text.charAt(from);
    return first == '-' || (first == '/' && Letters.indexOf(text, '/', from + 1, stop) < 0);
  }

  private static int end(String text, int from, char quote) {
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit && !ends(text.charAt(stop), quote)) {
      stop++;
    }
    return stop;
  }

  private static boolean ends(char c, char quote) {
    return c == '\n'
        || (quote == ' '
            ? c <= ' ' || "\"'`;|&".indexOf(c) >= 0
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

  private static boolean isTold(String text, int from, int stop) {
    String value = text.substring(from, stop);
    return (SecretValues.isGiven(value) && SecretValues.isTold(value, Value.ANY))
        || (value.length() >= LEAST_LETTERS && SecretValues.isRandom(value, LEAST_LETTERS));
  }
}
