package dev.agentmemory.bench.secrets;

import java.util.regex.Pattern;

/// A text with generated values.
///
/// @param shown as a filter receives it
/// @param rest the same without the values: each of their characters is [#HIDDEN]
record SampleText(String shown, String rest) {

  static final char HIDDEN = '\0';

  private static final Pattern MASK = Pattern.compile("\\[masked:[^\\]]*\\]");

  /// Whether nothing of the values is in a masked text: all that stands between the masks occurs,
  /// in order, in the text without the values.
  ///
  /// @param masked the shown text after masking
  boolean hides(String masked) {
    String[] pieces = MASK.split(masked, -1);
    if (pieces.length == 1 || !rest.startsWith(pieces[0])) {
      return false;
    }
    int at = pieces[0].length();
    String last = pieces[pieces.length - 1];
    for (int i = 1; i < pieces.length - 1; i++) {
      int found = rest.indexOf(pieces[i], at + 1);
      if (found < 0) {
        return false;
      }
      at = found + pieces[i].length();
    }
    return rest.endsWith(last) && rest.length() - last.length() > at;
  }
}
