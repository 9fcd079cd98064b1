package dev.agentmemory.text;

/// Tells lines that a machine wrote, or that only lay out a page, from lines that someone said.
final class Noise {
  private Noise() {}

  /// Whether the line between two places, white space trimmed, is no prose.
  static boolean isNoise(String text, int start, int end) {
    return isLayout(text, start, end) || isOutput(text, start, end) || isDense(text, start, end);
  }

  /// Rules, headings, tables, quotes, diffs, numbered listings of source code.
  private static boolean isLayout(String text, int start, int end) {
    char first = text.charAt(start);
    char second = start + 1 < end ? text.charAt(start + 1) : ' ';
    return switch (first) {
      case '#', '|', '>', '$', '%', '⎿', '└', '├', '│' -> true;
      case '@' -> second == '@';
      case '+' -> second != ' ';
      case '-', '=', '*', '_', '~' ->
          second == first && start + 2 < end && text.charAt(start + 2) == first;
      case '[' -> text.charAt(end - 1) == ']';
      default -> isNumberedSource(text, start, end);
    };
  }

  private static boolean isNumberedSource(String text, int start, int end) {
    int at = start;
    while (at < end && Character.isDigit(text.charAt(at))) {
      at++;
    }
    return at > start
        && at < end
        && (text.charAt(at) == '→' || text.charAt(at) == '\t' || text.charAt(at) == '│');
  }

  /// Log lines, stack traces, JSON.
  private static boolean isOutput(String text, int start, int end) {
    char first = text.charAt(start);
    if (first == '{' || first == '}' || isJsonField(text, start, end)) {
      return true;
    }
    if (first >= '0' && first <= '9' && looksLikeTime(text, start, end)) {
      return true;
    }
    if (first == '[' && start + 3 < end && isLevel(text, start + 1)) {
      return true;
    }
    return isFrame(text, start, end)
        || text.startsWith("File \"", start)
        || text.startsWith("Traceback (", start)
        || text.startsWith("goroutine ", start)
        || text.startsWith("Caused by: ", start)
        || text.startsWith("Exception in thread", start)
        || isLevel(text, start);
  }

  private static boolean isJsonField(String text, int start, int end) {
    int quote = text.charAt(start) == '"' ? text.indexOf('"', start + 1) : -1;
    return quote > 0 && quote + 1 < end && text.charAt(quote + 1) == ':';
  }

  private static boolean isFrame(String text, int start, int end) {
    return text.startsWith("at ", start) && text.charAt(end - 1) == ')';
  }

  private static boolean isLevel(String text, int at) {
    return text.startsWith("INFO", at)
        || text.startsWith("WARN", at)
        || text.startsWith("DEBUG", at)
        || text.startsWith("TRACE", at)
        || text.startsWith("ERROR", at)
        || text.startsWith("FATAL", at);
  }

  /// `2026-01-30…`, `12:30:01…`: a line that starts with a time was written by a program.
  private static boolean looksLikeTime(String text, int start, int end) {
    if (end - start < 8) {
      return false;
    }
    boolean clock = text.charAt(start + 2) == ':' && text.charAt(start + 5) == ':';
    boolean date =
        end - start > 10
            && text.charAt(start + 4) == '-'
            && text.charAt(start + 7) == '-'
            && text.charAt(start + 10) != ' ';
    boolean dateAndClock =
        end - start > 16 && text.charAt(start + 4) == '-' && text.charAt(start + 13) == ':';
    return clock || date || dateAndClock;
  }

  /// Source code and machine output use many marks and few letters.
  private static boolean isDense(String text, int start, int end) {
    int marks = 0;
    int letters = 0;
    boolean quoted = false;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c == '\t') {
        return true;
      }
      if (c == '`') {
        quoted = !quoted;
      } else if (quoted || c == ' ' || (c >= 'a' && c <= 'z') || Character.isLetter(c)) {
        letters++;
      } else if ("{}()[]<>=;|\\/_+&^%$#@~:".indexOf(c) >= 0) {
        marks++;
      }
    }
    char last = text.charAt(end - 1);
    int weight = last == ';' || last == '{' || last == '}' ? 20 : 7;
    weight = last == '.' || last == '!' || last == '?' ? 4 : weight;
    return letters == 0 || marks * weight > end - start;
  }
}
