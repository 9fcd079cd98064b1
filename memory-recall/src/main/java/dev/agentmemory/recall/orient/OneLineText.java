package dev.agentmemory.recall.orient;

import dev.agentmemory.text.Graphemes;
import java.util.regex.Pattern;

/// Puts text that others wrote into one line of a Markdown list, so that it can neither end the
/// line, begin a block, nor cite anything.
final class OneLineText {

  private static final Pattern SPACES = Pattern.compile("[\\s\\p{Z}\\p{Cc}]+");

  /// What would be taken for a citation.
  private static final Pattern CITATION = Pattern.compile("\\[(evt|grip|mem|toc):");

  /// Where a block in Markdown begins: a heading, a quotation, a list, a rule, code, a table, HTML or
  /// the definition of a link.
  private static final Pattern BLOCK_START =
      Pattern.compile("^(\\d{1,9}(?=[.)](?:\\s|$))|(?=[#>+*=~`<|_\\[-]))");

  private OneLineText() {}

  /// The text in one line, each run of white space and control characters as one space.
  ///
  /// @param most characters that are read of it; an ellipsis stands for the rest
  static String of(String text, int most) {
    String head = Graphemes.head(text, most);
    String line = SPACES.matcher(head).replaceAll(" ").strip();
    return head.length() < text.length() ? line + '…' : line;
  }

  /// A line of [#of] with what would be taken for a citation escaped.
  static String escaped(String line) {
    return CITATION.matcher(line).replaceAll("[$1\\\\:");
  }

  /// The same for a line that nothing stands before in its list item.
  static String escapedAtStart(String line) {
    return BLOCK_START.matcher(escaped(line)).replaceFirst("$1\\\\");
  }
}
