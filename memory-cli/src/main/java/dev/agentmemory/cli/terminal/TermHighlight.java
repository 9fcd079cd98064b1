package dev.agentmemory.cli.terminal;

import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.cli.terminal.Terminal.Style;
import java.util.List;
import java.util.stream.IntStream;

/// Highlights parts of a text that was broken into lines. Line breaking only changes spaces, so
/// positions are counted in other characters.
public final class TermHighlight {

  /// @param from first highlighted character
  /// @param to end, exclusive
  private record Mark(int from, int to) {}

  private final List<Mark> marks;
  private int passed;

  private TermHighlight(List<Mark> marks) {
    this.marks = marks;
  }

  /// @param text the whole text before line breaking
  /// @param excerpt part of it; an empty one, or one that does not occur, highlights nothing
  public static TermHighlight of(String text, String excerpt) {
    int at = excerpt.isEmpty() ? -1 : text.indexOf(excerpt);
    return new TermHighlight(at < 0 ? List.of() : List.of(mark(text, at, at + excerpt.length())));
  }

  /// Highlights the matches in a snippet.
  public static TermHighlight of(Snippet snippet) {
    return new TermHighlight(
        snippet.highlights().stream()
            .map(each -> mark(snippet.text(), each.start(), each.end()))
            .toList());
  }

  private static Mark mark(String text, int start, int end) {
    int from = inked(text.substring(0, start));
    return new Mark(from, from + inked(text.substring(start, end)));
  }

  /// The next line, with its highlighted parts painted.
  public String paint(Terminal screen, String line, Style style) {
    var painted = new StringBuilder();
    int done = 0;
    int first = passed;
    int[] inked = IntStream.range(0, line.length()).filter(i -> !blank(line.charAt(i))).toArray();
    passed += inked.length;
    for (Mark mark : marks) {
      int from = Math.max(mark.from(), first) - first;
      int to = Math.min(mark.to(), passed) - first;
      if (from < to) {
        int start = inked[from];
        int end = inked[to - 1] + 1;
        painted.append(line, done, start).append(screen.styled(style, line.substring(start, end)));
        done = end;
      }
    }
    return painted.append(line.substring(done)).toString();
  }

  private static int inked(String text) {
    return (int) text.chars().filter(c -> !blank((char) c)).count();
  }

  private static boolean blank(char c) {
    return Character.isWhitespace(c) || Character.isISOControl(c);
  }
}
