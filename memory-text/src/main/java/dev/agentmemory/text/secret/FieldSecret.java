package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.SecretName.Value;
import java.util.Set;

/// Finds the last field of lines that programs read passwords from: `host:5432:database:user:X` and
/// `user@host:X`.
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
    return Letters.isPlain(next) && isAddress(text, at)
        ? last(text, at + 1, LEAST_RANDOM)
        : Secret.NONE;
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
