package dev.agentmemory.toc.internal.check;

import dev.agentmemory.toc.summary.ContentHash;
import java.util.HexFormat;
import java.util.List;

/// Lays out texts of others inside a prompt so that nothing in them can pass for the prompt's own
/// words. Every line behind the first of a text is indented, so no text can start a numbered line
/// of its own; the whole stands between marks with a hash of it, which no text can know beforehand.
/// Nothing is random: equal texts give equal prompts.
public final class Lines {

  private static final int MARK = 16;
  private static final String INDENT = "\n  ";

  private Lines() {}

  /// A text as the rest of a line, further lines indented, without invisible characters.
  public static String indented(String text) {
    var lines = new StringBuilder(text.length() + 16);
    boolean blank = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (isBreak(c)) {
        blank = true;
      } else if (isVisible(c)) {
        if (blank && !lines.isEmpty()) {
          lines.append(INDENT);
        }
        blank = false;
        lines.appendCodePoint(c);
      }
    }
    return lines.toString().strip();
  }

  /// A text as part of one line.
  public static String flat(String text) {
    return indented(text).replaceAll("\\s+", " ").strip();
  }

  private static boolean isBreak(int c) {
    return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
  }

  /// Text may hold characters that only machines see, even whole hidden sentences of them. Those
  /// that shape letters and emoji stay.
  private static boolean isVisible(int c) {
    int type = Character.getType(c);
    boolean joins = c == 0x200C || c == 0x200D;
    return c == '\t'
        || joins
        || (type != Character.CONTROL
            && type != Character.FORMAT
            && type != Character.SURROGATE
            && type != Character.UNASSIGNED);
  }

  /// A section of a prompt.
  public static String section(String name, String mark, String content) {
    return "<" + name + " " + mark + ">\n" + content + "\n</" + name + " " + mark + ">";
  }

  /// Derived from everything that stands between the marks.
  public static String mark(List<String> contents) {
    var hash = new ContentHash();
    contents.forEach(hash::add);
    return HexFormat.of().formatHex(hash.bytes()).substring(0, MARK);
  }
}
