package dev.agentmemory.daemon.cli;

import dev.agentmemory.daemon.cli.Screen.Ink;

/// Marks an excerpt in text that was broken into lines. Breaking only touches blanks, so places are
/// counted in characters that are not blank.
final class Highlight {

  private final int from;
  private final int to;
  private int passed;

  /// @param text the whole text, as it was before it was broken
  /// @param excerpt part of it; an empty one, or one that is not there, marks nothing
  Highlight(String text, String excerpt) {
    int at = excerpt.isEmpty() ? -1 : text.indexOf(excerpt);
    this.from = at < 0 ? -1 : inked(text.substring(0, at));
    this.to = at < 0 ? -1 : from + inked(excerpt);
  }

  /// The next line, with what belongs to the excerpt painted.
  String paint(Screen screen, String line, Ink ink) {
    int start = -1;
    int end = -1;
    for (int i = 0; i < line.length(); i++) {
      if (blank(line.charAt(i))) {
        continue;
      }
      if (passed >= from && passed < to) {
        start = start < 0 ? i : start;
        end = i + 1;
      }
      passed++;
    }
    return start < 0
        ? line
        : line.substring(0, start)
            + screen.ink(ink, line.substring(start, end))
            + line.substring(end);
  }

  private static int inked(String text) {
    return (int) text.chars().filter(c -> !blank((char) c)).count();
  }

  private static boolean blank(char c) {
    return Character.isWhitespace(c) || Character.isISOControl(c);
  }
}
