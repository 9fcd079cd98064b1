package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.Set;

/// Finds the last field of lines that programs read passwords from, `host:5432:database:user:X` and
/// `user@host:X`, and the field beside one that has a telling name: `"name": "x", "value": "y"`.
final class FieldSecret {

  private static final String KIND = "password";
  private static final int LONGEST = 64;
  private static final int LEAST_RANDOM = 12;
  private static final String ABOVE = ":" + SecretMask.MASKED + KIND + "]\n";
  private static final Set<String> USERS =
      Set.of(
          "root",
          "admin",
          "administrator",
          "ubuntu",
          "debian",
          "postgres",
          "oracle",
          "deploy",
          "pi");

  private static final String USER = "user=";
  private static final String VALUE = "value";
  private static final String DEFAULT = "default";
  private static final String PARAMETER = "parameter";
  private static final String PAIR_MARKS = " \t\r\n\"'`,\\-~+";

  /// Quotes and spaces around a sign.
  private static final int MOST_MARKS = 24;

  /// Spaces and quotes between two fields.
  private static final int LONGEST_GAP = 64;

  /// Fields between a name and its value.
  private static final int MOST_FIELDS = 3;

  private static final int LONGEST_FIELD = 64;

  /// Characters from a value to the name after it.
  private static final int LONGEST_BEFORE = 300;

  /// Characters from the head of a section to a name in it.
  private static final int LONGEST_SECTION = 400;

  private FieldSecret() {}

  /// @param at index of a colon
  static Secret find(String text, int at) {
    char next = Letters.at(text, at + 1);
    if (Letters.isDigit(next) || next == '*') {
      Secret secret = afterPort(text, at);
      if (secret.found()) {
        return secret;
      }
    }
    if (text.startsWith("thin", at - 4)) {
      return thin(text, at + 1);
    }
    if (Letters.at(text, at - 1) == 'P' && Letters.at(text, at - 2) == ';') {
      return wifi(text, at + 1);
    }
    Secret source = beforeHost(text, at);
    if (source.found()) {
      return source;
    }
    if (Letters.isPlain(next)
        && (isUser(text, at)
            || (Letters.isLetter(Letters.at(text, at - 1)) && isInList(text, at)))) {
      return last(text, at + 1, 6);
    }
    return Letters.isPlain(next)
            && (isAddress(text, at) || isNamedUser(text, at) || isBesideHost(text, at))
        ? last(text, at + 1, LEAST_RANDOM)
        : Secret.NONE;
  }

  /// The sign in `"name": "password", "value": "x"` and `--name password --value x`, also after
  /// other fields; -1 if the name is none of these.
  static int paired(String text, int start, int end) {
    if (Letters.at(text, end) == ' '
        && !text.startsWith(" -", end)
        && !text.startsWith(" value", end)) {
      return -1;
    }
    int at = Letters.skip(text, end, PAIR_MARKS, LONGEST_GAP);
    if (at == end) {
      return -1;
    }
    int sign = pairedAt(text, at, end);
    boolean field = sign < 0 && (isQuoted(text, start, end) || isNameOfField(text, start));
    for (int fields = 0; field && fields < MOST_FIELDS && sign < 0; fields++) {
      int next = afterField(text, at);
      if (next < 0) {
        return -1;
      }
      at = Letters.skip(text, next, PAIR_MARKS, LONGEST_GAP);
      sign = pairedAt(text, at, next);
    }
    return sign;
  }

  /// The sign after `value` or `default`; -1 if none of them is at an index.
  private static int pairedAt(String text, int at, int from) {
    boolean fallback = text.startsWith(DEFAULT, at) && at > from;
    int word = fallback ? at + DEFAULT.length() : at;
    word += text.regionMatches(true, at, PARAMETER, 0, PARAMETER.length()) ? PARAMETER.length() : 0;
    boolean value = text.regionMatches(true, word, VALUE, 0, VALUE.length());
    int after = value ? word + VALUE.length() : word;
    if (!value && !fallback) {
      return -1;
    }
    int sign = Letters.skip(text, after, " \t\"'`\\", 4);
    if (":=".indexOf(Letters.at(text, sign)) >= 0) {
      return sign;
    }
    return Letters.at(text, at - 1) == '-' && sign > after ? after : -1;
  }

  /// Whether the name is the value of a field like `name`, `key` or `ParameterKey`.
  private static boolean isNameOfField(String text, int start) {
    int at = start - 1;
    int least = at - MOST_MARKS;
    while (at > least && at > 0 && " \"'`\\@".indexOf(text.charAt(at)) >= 0) {
      at--;
    }
    if (":=".indexOf(Letters.at(text, at)) < 0) {
      return false;
    }
    at--;
    while (at > least && at > 0 && " \"'`\\".indexOf(text.charAt(at)) >= 0) {
      at--;
    }
    return text.regionMatches(true, at - 2, "key", 0, 3)
        || text.regionMatches(true, at - 3, "name", 0, 4);
  }

  /// The index after a field such as `"type": "x"`, `type=x` or `type: x`; -1 if none is there.
  private static int afterField(String text, int from) {
    int at = from;
    int limit = Math.min(text.length(), from + LONGEST_FIELD);
    while (at < limit && Letters.isJoined(text.charAt(at))) {
      at++;
    }
    int sign = Letters.skip(text, at, " \"'`\\", 4);
    if (at == from || ":=".indexOf(Letters.at(text, sign)) < 0) {
      return -1;
    }
    at = Letters.skip(text, sign + 1, " \"'`\\", 4);
    while (at < limit && (Letters.isJoined(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    at = Letters.skip(text, at, " \"'`\\", 4);
    return at < limit && ",\n".indexOf(text.charAt(at)) >= 0 ? at : -1;
  }

  /// The value of `{"value": "x", "key": "password"}` and `value="x" name="password"`, which stands
  /// before the name.
  ///
  /// @param start where the name begins
  static Secret beforeName(String text, SecretName name, int start) {
    return isNameOfField(text, start) ? valueBefore(text, name, start) : Secret.NONE;
  }

  private static Secret valueBefore(String text, SecretName name, int start) {
    int least = Math.max(0, start - LONGEST_BEFORE);
    int at = start - 1;
    while (at > least && "{}<>".indexOf(text.charAt(at)) < 0) {
      if ("eE".indexOf(text.charAt(at)) >= 0
          && text.regionMatches(true, at - VALUE.length() + 1, VALUE, 0, VALUE.length())) {
        int sign = Letters.skip(text, at + 1, " \t\"'\\", 4);
        int open = Letters.skip(text, sign + 1, " \t\\", 4);
        boolean quoted =
            ":=".indexOf(Letters.at(text, sign)) >= 0 && "\"'".indexOf(Letters.at(text, open)) >= 0;
        int close = quoted ? Letters.close(text, open, text.charAt(open - 1) == '\\') : -1;
        return close > open && close < start
            ? SecretValues.told(text, name, open + 1, close)
            : Secret.NONE;
      }
      at--;
    }
    return Secret.NONE;
  }

  private static boolean isQuoted(String text, int start, int end) {
    return Letters.isQuote(Letters.at(text, start - 1)) || Letters.isQuote(Letters.at(text, end));
  }

  /// Whether the line is one of `name = value` below the head of a section, `[name]`.
  static boolean isInSection(String text, int start) {
    int at = start;
    int least = Math.max(0, start - LONGEST_SECTION);
    while (at > least && text.charAt(at - 1) == ' ') {
      at--;
    }
    if (at == least || text.charAt(at - 1) != '\n') {
      return false;
    }
    String[] lines = text.substring(least, at - 1).split("\n", -1);
    for (int i = lines.length - 1; i >= 0; i--) {
      String line = lines[i].strip();
      if (line.startsWith("[") && line.endsWith("]")) {
        return true;
      }
      int sign = line.indexOf('=');
      boolean field = sign > 0 && line.substring(0, sign).chars().allMatch(FieldSecret::isOfField);
      if (!field && !line.isEmpty() && "#;".indexOf(line.charAt(0)) < 0) {
        return false;
      }
    }
    return false;
  }

  private static boolean isOfField(int c) {
    return Letters.isJoined((char) c) || c == '.' || c == ' ';
  }

  /// `jdbc:oracle:thin:user/X@host`, `sqlplus user/X@host`.
  static Secret thin(String text, int from) {
    int slash = from;
    while (slash < text.length()
        && slash - from < LONGEST
        && Letters.isJoined(text.charAt(slash))) {
      slash++;
    }
    int stop = slash + 1;
    while (stop < text.length()
        && stop - slash < LONGEST
        && text.charAt(stop) > ' '
        && text.charAt(stop) != '@') {
      stop++;
    }
    boolean secret =
        Letters.at(text, slash) == '/'
            && Letters.at(text, stop) == '@'
            && stop > slash + 1
            && SecretValues.isSecret(text.substring(slash + 1, stop), Value.ANY);
    return secret ? new Secret(slash + 1, stop, KIND) : Secret.NONE;
  }

  /// The code of a network: `WIFI:T:WPA;S:name;P:X;;`.
  private static Secret wifi(String text, int from) {
    int start = Math.max(0, from - LONGEST * 2);
    int stop = Letters.indexOf(text, ';', from, from + LONGEST * 2);
    boolean secret =
        stop > from
            && text.substring(start, from).contains("WIFI:")
            && SecretValues.isSecret(text.substring(from, stop), Value.ANY);
    return secret ? new Secret(from, stop, KIND) : Secret.NONE;
  }

  /// `user:X@tcp(host:3306)/database`, `user:X@host:5432/database`.
  private static Secret beforeHost(String text, int colon) {
    char before = Letters.at(text, colon - 1);
    if (!Letters.isJoined(before) && before != '.') {
      return Secret.NONE;
    }
    int stop = colon + 1;
    int host = -1;
    while (stop < text.length()
        && stop - colon < LONGEST
        && text.charAt(stop) > ' '
        && "\"'`,\\<>:".indexOf(text.charAt(stop)) < 0) {
      host = text.charAt(stop) == '@' ? stop : host;
      stop++;
    }
    if (host < 0 || !isHost(text, host + 1)) {
      return Secret.NONE;
    }
    String value = text.substring(colon + 1, host);
    boolean secret =
        value.length() >= 4
            && value.indexOf('/') < 0
            && SecretValues.isSecret(value, Value.ANY)
            && !SecretValues.isCode(value);
    return secret ? new Secret(colon + 1, host, KIND) : Secret.NONE;
  }

  /// Whether an address in brackets, or one with a port, begins at an index.
  private static boolean isHost(String text, int at) {
    int end = at;
    while (end < text.length() && end - at < LONGEST && isField(text.charAt(end))) {
      end++;
    }
    if (Letters.at(text, end) == '(') {
      return true;
    }
    int port = Letters.skip(text, end + 1, "0123456789", 6);
    return end > at
        && Letters.at(text, end) == ':'
        && port > end + 2
        && port < end + 7
        && !Letters.isWord(Letters.at(text, port))
        && !text.startsWith("sha", at);
  }

  /// Whether the name of a user is before a colon, and begins a line or a quoted text.
  private static boolean isUser(String text, int colon) {
    int start = colon;
    while (start > 0 && colon - start < 16 && Letters.isPlain(text.charAt(start - 1))) {
      start--;
    }
    char before = start == 0 ? '\n' : text.charAt(start - 1);
    return (before <= ' ' || Letters.isQuote(before))
        && USERS.contains(text.substring(start, colon));
  }

  /// Whether `user=name` begins the line before a colon.
  private static boolean isNamedUser(String text, int colon) {
    int start = colon;
    while (start > 0 && colon - start < LONGEST && Letters.isJoined(text.charAt(start - 1))) {
      start--;
    }
    int line = start - USER.length();
    return start < colon
        && text.startsWith(USER, line)
        && (line == 0 || text.charAt(line - 1) == '\n');
  }

  /// Whether the line has a host and, after a space, a user before the colon: `[mail.x.org]:587
  /// kim`.
  private static boolean isBesideHost(String text, int colon) {
    int user = colon;
    while (user > 0 && colon - user < LONGEST && isField(text.charAt(user - 1))) {
      user--;
    }
    int host = user;
    while (host > 0 && user - host < MOST_MARKS && Letters.isSpace(text.charAt(host - 1))) {
      host--;
    }
    int line = host;
    boolean dot = false;
    boolean letter = false;
    boolean port = false;
    while (line > 0
        && host - line < LONGEST
        && (isField(text.charAt(line - 1)) || "[]:".indexOf(text.charAt(line - 1)) >= 0)) {
      line--;
      dot |= text.charAt(line) == '.';
      letter |= Letters.isLetter(text.charAt(line));
      port |= "]:".indexOf(text.charAt(line)) >= 0;
    }
    return user < colon
        && host < user
        && line < host
        && dot
        && letter
        && port
        && (line == 0 || text.charAt(line - 1) == '\n');
  }

  /// Whether the line above has a user and a password that is masked.
  private static boolean isInList(String text, int colon) {
    int start = colon;
    while (start > 0 && colon - start < LONGEST && isField(text.charAt(start - 1))) {
      start--;
    }
    int line = start;
    while (line > 0 && start - line < LONGEST && text.charAt(line - 1) == ' ') {
      line--;
    }
    return start < colon && text.startsWith(ABOVE, line - ABOVE.length());
  }

  private static Secret afterPort(String text, int at) {
    int port = Letters.skip(text, at + 1, "0123456789*", 5);
    int database = field(text, port);
    int user = field(text, database);
    return user < 0 ? Secret.NONE : last(text, user + 1, 6);
  }

  /// The index of the colon after a field; -1 if there is none.
  private static int field(String text, int colon) {
    if (colon < 0 || Letters.at(text, colon) != ':') {
      return -1;
    }
    int end = colon + 1;
    while (end < text.length() && end - colon < LONGEST && isField(text.charAt(end))) {
      end++;
    }
    return end > colon + 1 && Letters.at(text, end) == ':' ? end : -1;
  }

  private static boolean isField(char c) {
    return Letters.isJoined(c) || c == '*' || c == '.';
  }

  /// The rest of the line.
  private static Secret last(String text, int from, int least) {
    int stop = from;
    while (stop < text.length()
        && stop - from < LONGEST
        && text.charAt(stop) > ' '
        && text.charAt(stop) != '\\') {
      stop++;
    }
    boolean line = stop == text.length() || "\r\n\\".indexOf(text.charAt(stop)) >= 0;
    String value = text.substring(from, stop);
    boolean secret =
        line
            && value.length() >= least
            && SecretValues.isTold(value, Value.ANY)
            && !value.contains(":")
            && !value.contains("/");
    return secret ? new Secret(from, stop, KIND) : Secret.NONE;
  }

  /// Whether `name@host.domain` stands before the colon.
  private static boolean isAddress(String text, int colon) {
    int start = colon;
    boolean dot = false;
    while (start > 0
        && colon - start < LONGEST
        && (Letters.isJoined(text.charAt(start - 1)) || text.charAt(start - 1) == '.')) {
      start--;
      dot |= text.charAt(start) == '.';
    }
    return dot
        && start > 1
        && text.charAt(start - 1) == '@'
        && Letters.isPlain(text.charAt(start - 2));
  }
}
