package dev.agentmemory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The marks of recalled text in one text, and what each of them covers.
///
/// Idea: a mark covers the rest of its line. What a line is depends on what stands before the mark.
/// After the beginning of a line, spaces and punctuation aside, or after other words it is the line
/// of the text. After an escaped line end or a quotation mark the line is part of a JSON string; it
/// ends at the next escaped line end or quotation mark of the same level of escaping.
///
/// The level of escaping is the number of backslashes before the `n` of a line end: 1 in JSON, 2 in
/// JSON within JSON, then 4, 8, ... A backslash of the content itself is written as twice as many.
/// So of a run of backslashes the lowest set bit of its length is the level.
final class RecalledMarks {

  /// A mark; the bar may be escaped, as in a table in Markdown.
  static final Pattern PATTERN = Pattern.compile("recalled\\\\*\\|(begin\\b|end\\b)?");

  private static final Pattern ESCAPED_LINE_END = Pattern.compile("(?:\\\\+[nr])+[^\\p{L}]*");

  /// The level of text that is not escaped.
  private static final int PLAIN = 0;

  private static final int UNICODE_ESCAPE = "\\u003e".length();

  private final String text;
  private final List<Mark> marks = new ArrayList<>();

  RecalledMarks(String text) {
    this.text = text;
    Matcher matcher = PATTERN.matcher(text);
    int lineStart = 0;
    int lineEnd = -1;
    int scanned = 0;
    while (matcher.find()) {
      if (matcher.start() > lineEnd) {
        lineStart = lineStart(matcher.start(), scanned);
        lineEnd = lineEnd(matcher.end());
      }
      scanned = matcher.end();
      marks.add(mark(matcher, lineStart, lineEnd));
    }
  }

  /// What a mark begins.
  private enum Kind {
    FIRST_LINE,
    LINE,
    LAST_LINE
  }

  /// @param start of what it covers: behind the text or the line end before it
  /// @param at where the mark itself begins
  /// @param end behind the mark itself
  /// @param level of escaping; [#PLAIN] when the line is one of the text
  /// @param lineStart of the line of the text
  /// @param lineEnd before the line's terminator
  private record Mark(
      Kind kind, int start, int at, int end, int level, int lineStart, int lineEnd) {

    boolean beginsLine() {
      return level == PLAIN && start == lineStart;
    }
  }

  private int lineStart(int at, int from) {
    int start = at;
    while (start > from && !isLineEnd(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private int lineEnd(int at) {
    int end = at;
    while (end < text.length() && !isLineEnd(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /// The same characters as `\R` of [Pattern].
  private static boolean isLineEnd(char c) {
    return switch (c) {
      case '\n', '\u000b', '\f', '\r', '\u0085', '\u2028', '\u2029' -> true;
      default -> false;
    };
  }

  private Mark mark(Matcher matcher, int lineStart, int lineEnd) {
    int from = marks.isEmpty() ? lineStart : Math.max(lineStart, marks.getLast().end());
    int at = matcher.start();
    int start = at;
    int level = PLAIN;
    boolean other = false;
    while (start > from) {
      char c = text.charAt(start - 1);
      int slashes = slashesBefore(start - 1, from);
      if (c == '"') {
        level = Integer.lowestOneBit(slashes + 1);
        break;
      }
      if ((c == 'n' || c == 'r') && slashes > 0) {
        level = Integer.lowestOneBit(slashes);
        break;
      }
      int decoration = decoration(c, slashes, start, from);
      if (decoration == 0) {
        other = true;
        break;
      }
      start -= decoration;
    }
    // Behind other words, spaces belong to these.
    int covered = level == PLAIN && other ? at : start;
    return new Mark(kind(matcher), covered, at, matcher.end(), level, lineStart, lineEnd);
  }

  private Kind kind(Matcher matcher) {
    int word = matcher.start(1);
    if (word < 0) {
      return Kind.LINE;
    }
    return text.charAt(word) == 'b' ? Kind.FIRST_LINE : Kind.LAST_LINE;
  }

  /// Length of what may stand between the beginning of a line and a mark and ends there: a
  /// character that is no letter, an escaped tab, an escaped character; 0 when something else ends
  /// there.
  private int decoration(char c, int slashes, int end, int from) {
    if (!Character.isLetter(c)) {
      return 1;
    }
    if ((c == 't' || c == 'u') && slashes > 0) {
      return 1 + slashes;
    }
    boolean escape = end - UNICODE_ESCAPE >= from && text.startsWith("\\u00", end - UNICODE_ESCAPE);
    return escape ? UNICODE_ESCAPE : 0;
  }

  private int slashesBefore(int at, int from) {
    int start = at;
    while (start > from && text.charAt(start - 1) == '\\') {
      start--;
    }
    return at - start;
  }

  /// The text without what the marks cover.
  ///
  /// @param mayBeCut whether the beginning of the text may have been cut off
  String removed(boolean mayBeCut) {
    var rest = new Remainder(text);
    int next = 0;
    while (next < marks.size()) {
      Mark mark = marks.get(next);
      int last = mark.kind() == Kind.FIRST_LINE ? lastOf(next) : next;
      int end = last > next ? marks.get(last).end() : end(next);
      rest.cut(mayBeCut && next == 0 && isCutLine(mark) ? 0 : mark.start(), end);
      next = last + 1;
    }
    return rest.text();
  }

  /// The last mark of the envelope that a mark begins; the mark itself when the last line of the
  /// envelope is missing.
  private int lastOf(int first) {
    for (int i = first + 1; i < marks.size(); i++) {
      if (marks.get(i).kind() != Kind.LINE) {
        boolean closed =
            marks.get(i).kind() == Kind.LAST_LINE && !leavesString(marks.get(first), marks.get(i));
        return closed ? i : first;
      }
    }
    return first;
  }

  /// Whether a mark stands in a JSON string that ends before another mark.
  private boolean leavesString(Mark first, Mark last) {
    return first.level() != PLAIN
        && escapedEnd(first.end(), last.at(), first.level(), /* lines= */ false) < last.at();
  }

  /// Where what a mark covers ends: behind the last line's mark, else at the end of the line or at
  /// the next mark.
  private int end(int index) {
    Mark mark = marks.get(index);
    if (mark.kind() == Kind.LAST_LINE) {
      return mark.end();
    }
    boolean more = index + 1 < marks.size() && marks.get(index + 1).at() < mark.lineEnd();
    int end = more ? marks.get(index + 1).at() : mark.lineEnd();
    if (mark.level() == PLAIN) {
      return end;
    }
    int escaped = escapedEnd(mark.end(), end, mark.level(), /* lines= */ true);
    // The line end between two marked lines goes with them.
    return more && ESCAPED_LINE_END.matcher(text).region(escaped, end).matches() ? end : escaped;
  }

  /// The first end of a line, or quotation mark, at a level of escaping or an outer one.
  ///
  /// @param lines whether ends of lines count, else quotation marks alone
  /// @return `to` when there is none
  private int escapedEnd(int from, int to, int level, boolean lines) {
    int i = from;
    while (i < to) {
      int start = i;
      while (i < to && text.charAt(i) == '\\') {
        i++;
      }
      if (i < to) {
        char c = text.charAt(i);
        int slashes = i - start;
        int line = Integer.lowestOneBit(slashes);
        if (lines && (c == 'n' || c == 'r') && line > 0 && line <= level) {
          return i - line;
        }
        int quote = Integer.lowestOneBit(slashes + 1);
        if (c == '"' && quote <= level) {
          return i - (quote - 1);
        }
      }
      i++;
    }
    return to;
  }

  /// Whether the text before the first mark is the end of a line that was cut in the middle.
  private boolean isCutLine(Mark first) {
    if (first.kind() == Kind.FIRST_LINE || !first.beginsLine() || first.lineStart() == 0) {
      return false;
    }
    int end = lineEnd(0);
    int next = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    return next == first.lineStart();
  }

  /// What is left of a text while parts of it are cut out.
  private static final class Remainder {
    private final String text;
    private final StringBuilder lines = new StringBuilder();
    private final StringBuilder line = new StringBuilder();
    private boolean cutLine;
    private int at;

    private Remainder(String text) {
      this.text = text;
    }

    /// Cuts a range out; ranges come in order.
    void cut(int start, int end) {
      keep(start);
      cutLine = true;
      at = end;
    }

    private void keep(int end) {
      int from = at;
      if (from < end && cutLine && joinsWords(text.charAt(from))) {
        line.append(' ');
      }
      for (int i = from; i < end; i++) {
        char c = text.charAt(i);
        line.append(c);
        boolean more = c == '\r' && i + 1 < end && text.charAt(i + 1) == '\n';
        if (isLineEnd(c) && !more) {
          endLine();
        }
      }
    }

    /// Two halves of a mark must not become a mark.
    private boolean joinsWords(char next) {
      if (line.isEmpty()) {
        return false;
      }
      char last = line.charAt(line.length() - 1);
      return (Character.isLetter(last) || last == '\\')
          && (Character.isLetter(next) || next == '\\' || next == '|');
    }

    private void endLine() {
      if (!cutLine || line.codePoints().anyMatch(Character::isLetterOrDigit)) {
        lines.append(line);
      }
      line.setLength(0);
      cutLine = false;
    }

    String text() {
      keep(text.length());
      endLine();
      return lines.toString();
    }
  }
}
