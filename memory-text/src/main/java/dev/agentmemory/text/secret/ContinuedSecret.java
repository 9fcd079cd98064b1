package dev.agentmemory.text.secret;

import dev.agentmemory.text.secret.format.Letters;
import dev.agentmemory.text.secret.format.Secret;
import java.util.ArrayList;
import java.util.List;

/// Finds the further parts of a secret that is divided: into strings that source code joins, into
/// the lines of a block, or by a terminal in the middle of a string.
///
/// Each part that is read is masked, so the time is linear in the length.
final class ContinuedSecret {

  private static final String JOINTS = " \t\r\n+.\\&";
  private static final int MOST_BETWEEN = 80;
  private static final int LONGEST = 1_000;
  private static final int LEAST = 16;

  /// Characters of the last part of a secret.
  private static final int LEAST_LAST = 8;

  private static final int MOST_PARTS = 200;

  /// Characters of a line of a block, which base64 fills.
  private static final int LEAST_LINE = 20;

  private ContinuedSecret() {}

  /// @param start where the mask or the part begins that others can follow
  /// @param end index after it
  /// @param kind of the secret
  static List<Secret> find(String text, int start, int end, String kind) {
    var parts = new ArrayList<Secret>();
    int from = start;
    int at = end;
    boolean more = true;
    while (more && parts.size() < MOST_PARTS) {
      Secret part = next(text, from, at, kind);
      more = part.found();
      if (more) {
        parts.add(part);
        from = part.start();
        at = part.end();
      }
    }
    return parts;
  }

  private static Secret next(String text, int start, int end, String kind) {
    char after = Letters.at(text, end);
    if (Letters.isQuote(after)) {
      return joined(text, end, kind);
    }
    int line = after == '\r' ? end + 1 : end;
    if (Letters.at(text, line) != '\n' || line >= text.length()) {
      return Secret.NONE;
    }
    char before = Letters.at(text, start - 1);
    return Letters.isQuote(before)
        ? wrapped(text, line + 1, before, kind)
        : line(text, start, line + 1, kind);
  }

  /// `"part" + "part"`, `"part" "part"` and the like, also in several lines.
  private static Secret joined(String text, int close, String kind) {
    char quote = text.charAt(close);
    int open = Letters.skip(text, close + 1, JOINTS, MOST_BETWEEN);
    if (Letters.at(text, open) != quote || open >= text.length()) {
      return Secret.NONE;
    }
    int stop = end(text, open + 1);
    boolean part = Letters.at(text, stop) == quote && isPart(text.substring(open + 1, stop));
    return part ? new Secret(open + 1, stop, kind) : Secret.NONE;
  }

  /// The rest of a string that is cut off at the end of a line.
  private static Secret wrapped(String text, int from, char quote, String kind) {
    int stop = end(text, from);
    boolean part =
        stop - from >= LEAST_LAST
            && Letters.at(text, stop) == quote
            && Letters.hasDigit(text, from, stop);
    return part ? new Secret(from, stop, kind) : Secret.NONE;
  }

  /// The next line of a block, which is indented like the one before.
  private static Secret line(String text, int start, int next, String kind) {
    int begin = start;
    while (begin > 0 && start - begin < MOST_BETWEEN && text.charAt(begin - 1) == ' ') {
      begin--;
    }
    int indent = start - begin;
    boolean alone = indent > 0 && begin > 0 && text.charAt(begin - 1) == '\n';
    int from = Letters.skip(text, next, " ", MOST_BETWEEN);
    if (!alone || from - next != indent) {
      return Secret.NONE;
    }
    int stop = end(text, from);
    boolean ends = stop == text.length() || "\r\n".indexOf(text.charAt(stop)) >= 0;
    String value = text.substring(from, stop);
    boolean hex = value.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    boolean part = ends && !hex && stop - from >= LEAST_LINE && isPart(value);
    return part ? new Secret(from, stop, kind) : Secret.NONE;
  }

  private static int end(String text, int from) {
    int stop = from;
    while (stop < text.length() && stop - from < LONGEST && isToken(text.charAt(stop))) {
      stop++;
    }
    return stop;
  }

  private static boolean isToken(char c) {
    return Letters.isJoined(c) || "+/=".indexOf(c) >= 0;
  }

  private static boolean isPart(String value) {
    return SecretValues.isRandom(value, LEAST) && !SecretValues.isUuid(value);
  }
}
