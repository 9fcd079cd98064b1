package dev.agentmemory.text;

import java.text.BreakIterator;
import java.util.Locale;

/// Cuts text between two characters as a reader sees them: never inside a surrogate pair, an
/// accented letter, a flag or an emoji sequence. The boundaries are those of extended grapheme
/// clusters.
public final class Graphemes {

  private static final char ELLIPSIS = '…';

  private Graphemes() {}

  /// The longest prefix of a text within a limit that ends between two characters.
  ///
  /// @param maxChars limit in UTF-16 units, 0 and up
  /// @return the text itself when it fits; empty when not even its first character fits
  public static String head(String text, int maxChars) {
    if (maxChars < 0) {
      throw new IllegalArgumentException("maxChars is negative: " + maxChars);
    }
    return text.length() <= maxChars ? text : text.substring(0, border(text, maxChars));
  }

  /// A text within a limit. A longer text is cut after a word if that costs at most a third of the
  /// limit, and ends in an ellipsis.
  ///
  /// @param maxChars limit in UTF-16 units, ellipsis included, 0 and up
  public static String shorten(String text, int maxChars) {
    if (text.length() <= maxChars) {
      return text;
    }
    if (maxChars == 0) {
      return "";
    }
    String kept = text.substring(0, wordBorder(text, 0, maxChars - 1));
    return kept.isEmpty() ? "" : kept + ELLIPSIS;
  }

  /// The end of the longest piece from `start` that has at most `maxChars` units and ends after a
  /// word, or at least after a whole character when words are too long. White space and commas
  /// before the end are not part of the piece.
  ///
  /// @return an index into the text, `start` when nothing fits
  public static int wordBorder(String text, int start, int maxChars) {
    if (maxChars < 0) {
      throw new IllegalArgumentException("maxChars is negative: " + maxChars);
    }
    if (text.length() - start <= maxChars) {
      return text.length();
    }
    int end =
        start
            + border(
                text.substring(start, Math.min(text.length(), start + maxChars + 2)), maxChars);
    int word = end;
    while (word > start && !endsWord(text, word)) {
      word--;
    }
    int cut = word - start >= (end - start) * 2 / 3 ? word : end;
    while (cut > start && isLoose(text.charAt(cut - 1))) {
      cut--;
    }
    return cut;
  }

  private static boolean endsWord(String text, int at) {
    return Character.isWhitespace(text.charAt(at)) && isPlain(text.charAt(at - 1));
  }

  private static boolean isLoose(char c) {
    return Character.isWhitespace(c) || c == ',' || c == ';' || c == ':' || c == '-' || c == '(';
  }

  /// The last boundary at or before `limit`, which is inside the text.
  private static int border(String text, int limit) {
    if (limit == 0 || isBorder(text, limit)) {
      return limit;
    }
    // A boundary between two plain characters needs no context, so the search may start there.
    int from = limit - 1;
    while (from > 0 && !isBorder(text, from)) {
      from--;
    }
    BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
    int to = Math.min(text.length(), limit + 2);
    clusters.setText(text.substring(from, to));
    return from
        + (clusters.isBoundary(limit - from) ? limit - from : clusters.preceding(limit - from));
  }

  private static boolean isBorder(String text, int at) {
    char before = text.charAt(at - 1);
    char after = text.charAt(at);
    return isPlain(before) && isPlain(after) && !(before == '\r' && after == '\n');
  }

  /// Characters that never combine with another one of this set: those below the combining marks,
  /// kana, ideographs and whole Hangul syllables.
  private static boolean isPlain(char c) {
    return c < 0x300
        || (c >= 0x3041 && c <= 0x3096)
        || (c >= 0x30A1 && c <= 0x30FA)
        || (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0xAC00 && c <= 0xD7A3);
  }
}
