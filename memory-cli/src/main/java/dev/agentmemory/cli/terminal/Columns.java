package dev.agentmemory.cli.terminal;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The width of text on a terminal, and line breaking.
public final class Columns {

  /// First and last code point of the ranges that take two columns.
  private static final int[] WIDE = {
    0x1100, 0x115F, 0x2E80, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE6F, 0xFF00, 0xFF60,
    0x1F300, 0x1FAFF, 0x20000, 0x3FFFD
  };

  private Columns() {}

  /// Columns that a text takes; Chinese, Japanese, Korean and emoji take two.
  public static int width(String text) {
    return text.codePoints().map(Columns::width).sum();
  }

  private static int width(int c) {
    int type = Character.getType(c);
    boolean joins =
        type == Character.NON_SPACING_MARK
            || type == Character.ENCLOSING_MARK
            || type == Character.FORMAT;
    if (joins) {
      return 0;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (c >= WIDE[i] && c <= WIDE[i + 1]) {
        return 2;
      }
    }
    return 1;
  }

  /// Breaks text at spaces, or where a language without spaces allows it. Line breaks of the text
  /// are kept. Control characters become spaces, so that stored text cannot control the terminal.
  public static List<String> wrap(String text, int width) {
    int room = Math.max(10, width);
    List<String> lines = new ArrayList<>();
    clean(text).lines().forEach(line -> wrapLine(line.stripTrailing(), room, lines));
    return lines.isEmpty() ? List.of("") : lines;
  }

  private static void wrapLine(String text, int room, List<String> lines) {
    if (width(text) <= room) {
      lines.add(text);
      return;
    }
    var line = new StringBuilder();
    for (String word : words(text)) {
      List<String> parts = width(word.stripTrailing()) > room ? pieces(word) : List.of(word);
      for (String part : parts) {
        if (width(line + part.stripTrailing()) > room && !line.isEmpty()) {
          lines.add(line.toString().stripTrailing());
          line.setLength(0);
        }
        line.append(width(part) > room ? split(part, room, lines) : part);
      }
    }
    lines.add(line.toString().stripTrailing());
  }

  /// Splits text into parts that are kept together. An id, a path or an option has to be copied
  /// unchanged, so it is not broken after a hyphen if it fits into a line.
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    var word = new StringBuilder();
    for (String piece : pieces(text)) {
      word.append(piece);
      char last = piece.charAt(piece.length() - 1);
      if (last <= ' ' || last > '~') {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    words.add(word.toString());
    return words;
  }

  /// Splits text at the line breaks that its language allows.
  private static List<String> pieces(String text) {
    BreakIterator breaks = BreakIterator.getLineInstance(Locale.ROOT);
    breaks.setText(text);
    List<String> pieces = new ArrayList<>();
    int start = breaks.first();
    for (int end = breaks.next(); end != BreakIterator.DONE; start = end, end = breaks.next()) {
      pieces.add(text.substring(start, end));
    }
    return pieces;
  }

  /// Splits a word that is wider than a line, and returns the rest.
  private static String split(String word, int room, List<String> lines) {
    var part = new StringBuilder();
    for (int c : word.codePoints().toArray()) {
      if (width(part.toString()) + width(c) > room) {
        lines.add(part.toString());
        part.setLength(0);
      }
      part.appendCodePoint(c);
    }
    return part.toString();
  }

  /// One line of at most this number of columns.
  public static String cut(String text, int room) {
    String line = clean(text).replace('\n', ' ').strip();
    if (width(line) <= room) {
      return line;
    }
    BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
    characters.setText(line);
    int end = 0;
    for (int next = characters.next();
        next != BreakIterator.DONE && width(line.substring(0, next)) < room;
        next = characters.next()) {
      end = next;
    }
    return line.substring(0, end).stripTrailing() + "…";
  }

  /// Replaces control characters other than line ends by spaces.
  static String clean(String text) {
    var out = new StringBuilder(text.length());
    text.replace("\r\n", "\n")
        .codePoints()
        .map(c -> c != '\n' && Character.isISOControl(c) ? ' ' : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }
}
