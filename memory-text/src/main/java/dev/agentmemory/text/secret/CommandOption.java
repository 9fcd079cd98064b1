package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.List;

/// An option of a program whose value is a secret: `mysql -pX`, `sshpass -p X`, `curl -u user:X`.
///
/// @param kind the kind that the mask names
/// @param form where the secret stands
/// @param programs of which the option is one
/// @param flag with its dashes
record CommandOption(String kind, Form form, List<String> programs, String flag) {

  /// Where the secret stands.
  enum Form {
    /// Directly after the option.
    JOINED,
    /// The next word.
    NEXT,
    /// In the next word, after the user and a colon.
    USER,
    /// In the next word, after the user and `%`.
    PERCENT
  }

  /// Characters of a command before the option.
  private static final int LONGEST_COMMAND = 300;

  /// Characters of a command or an entry before a name in it.
  private static final int LONGEST_ENTRY = 160;

  private static final int LONGEST_VALUE = 256;
  private static final int LEAST_KEY = 16;
  private static final int LEAST_PAIR_KEY = 24;

  CommandOption {
    programs = List.copyOf(programs);
  }

  /// @param at index of the first dash
  Secret find(String text, int at) {
    if (!text.startsWith(flag, at)) {
      return Secret.NONE;
    }
    int after = at + flag.length();
    if (form != Form.JOINED && Letters.isWord(Letters.at(text, after))) {
      return Secret.NONE;
    }
    if (!follows(text, at)) {
      return Secret.NONE;
    }
    return form == Form.JOINED ? joined(text, after) : next(text, after);
  }

  private Secret joined(String text, int after) {
    if (after >= text.length() || text.charAt(after) <= ' ') {
      return Secret.NONE;
    }
    return word(text, after);
  }

  private Secret next(String text, int after) {
    int from = Letters.skip(text, after, form == Form.USER ? " =" : " ", 4);
    if (Letters.isQuote(Letters.at(text, after)) && Letters.at(text, after + 1) == ',') {
      // `["sshpass", "-p", "X"]`.
      from = Letters.skip(text, after + 2, " ", 4);
    }
    return from == after ? Secret.NONE : word(text, from);
  }

  /// The secret in a word, which may be in quotes.
  private Secret word(String text, int at) {
    int from = Letters.skip(text, at, "\\", 4);
    boolean quotes = Letters.isQuote(Letters.at(text, from));
    from = quotes ? from + 1 : at;
    int limit = Math.min(text.length(), from + LONGEST_VALUE);
    int stop = from;
    while (stop < limit && (!ends(text, stop, quotes) || isDomain(text, stop))) {
      stop++;
    }
    if (form == Form.USER || form == Form.PERCENT) {
      // A mask has a colon, too.
      if (text.substring(from, stop).indexOf(SecretMask.MASKED) > 0) {
        return Secret.NONE;
      }
      int user = text.startsWith(SecretMask.MASKED, from) ? text.indexOf(']', from) : from;
      int colon = user < 0 ? -1 : Letters.indexOf(text, form == Form.USER ? ':' : '%', user, stop);
      if (form == Form.USER && (colon < 0 || stop - colon <= 2)) {
        return key(text, from, colon < 0 ? stop : colon);
      }
      // A long random user is a key, too.
      boolean pair =
          colon > 0 && SecretValues.isRandom(text.substring(from, colon), LEAST_PAIR_KEY);
      from = colon < 0 ? stop : pair ? from : colon + 1;
    }
    if (from == stop) {
      return Secret.NONE;
    }
    String value = text.substring(from, stop);
    boolean secret =
        SecretValues.isGiven(value)
            && value.length() >= 4
            && !value.startsWith("-")
            && !value.startsWith("//")
            && !SecretValues.isWord(value)
            && !isNumber(value);
    if (!secret) {
      return Secret.NONE;
    }
    // More is read only of what is masked, so that no text is read repeatedly.
    while (stop < text.length() && stop >= limit && !ends(text, stop, quotes)) {
      stop++;
    }
    return new Secret(from, stop, kind);
  }

  /// Whether a backslash stands between a domain and its user: `-U 'DOMAIN\kim%X'`.
  private boolean isDomain(String text, int at) {
    return form == Form.PERCENT
        && text.charAt(at) == '\\'
        && Letters.isPlain(Letters.at(text, at - 1))
        && Letters.isPlain(Letters.at(text, at + 1));
  }

  /// A key in place of the user: `curl -u KEY:`.
  private Secret key(String text, int from, int stop) {
    String user = text.substring(from, stop);
    boolean secret =
        SecretValues.isGiven(user)
            && !SecretValues.isUuid(user)
            && SecretValues.isRandom(user, LEAST_KEY);
    return secret ? new Secret(from, stop, kind) : Secret.NONE;
  }

  /// Whether a word after the name can only be its value: in a line of `.netrc`, and between
  /// options of a command.
  static boolean isCertain(String text, SecretName name, int start, int from, int stop) {
    if (name.value() != SecretName.Value.ANY) {
      return false;
    }
    int line = Math.max(0, start - LONGEST_ENTRY);
    String before = text.substring(line, start);
    if (before.contains("machine ") && before.contains("login ")) {
      return true;
    }
    if (!before.endsWith("--")) {
      return false;
    }
    String[] words = before.substring(before.lastIndexOf('\n') + 1).strip().split(" +", -1);
    int last = words.length - 2;
    boolean after =
        last >= 1
            && words[last - 1].startsWith("-")
            && !words[last].startsWith("-")
            && !SecretValues.isCommon(words[last]);
    int next = Letters.skip(text, stop, " ", 2);
    boolean option = Letters.at(text, next) == '-' && Letters.isJoined(Letters.at(text, next + 1));
    return (after || (option && last >= 0)) && !SecretValues.isCommon(text.substring(from, stop));
  }

  /// Ports and ids.
  private static boolean isNumber(String value) {
    return value.length() <= 5
        && value.chars().allMatch(c -> Letters.isDigit((char) c) || c == ':');
  }

  private static boolean ends(String text, int at, boolean quotes) {
    char c = text.charAt(at);
    if (c == '&' && Letters.isAmong(text, at)) {
      return false;
    }
    return c == '\n'
        || (quotes ? "\"'`\\".indexOf(c) >= 0 : c <= ' ' || "\"'`\\;|&".indexOf(c) >= 0);
  }

  /// Whether one of the programs stands before the option in the same command.
  private boolean follows(String text, int at) {
    int least = Math.max(0, at - LONGEST_COMMAND);
    int start = at;
    while (start > least && "\n|;".indexOf(text.charAt(start - 1)) < 0) {
      start--;
    }
    String command = text.substring(start, at);
    return programs.stream().anyMatch(program -> runs(command, program));
  }

  private static boolean runs(String command, String program) {
    int at = command.indexOf(program);
    return at >= 0
        && !Letters.isJoined(Letters.at(command, at - 1))
        && !Letters.isJoined(Letters.at(command, at + program.length()));
  }
}
