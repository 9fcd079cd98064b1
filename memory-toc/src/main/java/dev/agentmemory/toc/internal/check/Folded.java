package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Slice;
import dev.agentmemory.text.Terms;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A text as quotes are compared, with the way back to how it is written.
///
/// Compatibility forms, letter case, curly quotes and dashes, runs of white space, invisible
/// characters and markdown's stars and backticks make no difference; letters of different scripts
/// do, however alike they look. Every folded character knows which characters it comes from, so
/// what is found is cut out of the text as it is written.
final class Folded {

  /// Marks on one letter beyond that are a prank.
  private static final int MOST_MARKS = 24;

  private final String text;
  private final int[] starts;
  private final int[] ends;

  private Folded(String text, int[] starts, int[] ends) {
    this.text = text;
    this.starts = starts;
    this.ends = ends;
  }

  static Folded of(String original) {
    var folding = new Folding(original);
    folding.run();
    return new Folded(
        folding.text.toString(),
        Arrays.copyOf(folding.starts, folding.text.length()),
        Arrays.copyOf(folding.ends, folding.text.length()));
  }

  String text() {
    return text;
  }

  /// Where a folded text stands, from border to border of words, as a slice of the original: a
  /// piece of a word or of a number says something else than the whole.
  Optional<Slice> find(String folded) {
    if (folded.isEmpty()) {
      return Optional.empty();
    }
    int at = text.indexOf(folded);
    while (at >= 0) {
      int end = at + folded.length();
      if (isBorder(at) && isBorder(end)) {
        return Optional.of(new Slice(starts[at], ends[end - 1]));
      }
      at = text.indexOf(folded, at + 1);
    }
    return Optional.empty();
  }

  private boolean isBorder(int at) {
    if (at == 0 || at == text.length()) {
      return true;
    }
    char before = text.charAt(at - 1);
    char after = text.charAt(at);
    if (isWord(before) && isWord(after)) {
      return Terms.isCjk(before) || Terms.isCjk(after);
    }
    // can|'t, non|-critical, 2|.5
    return !(isTie(after) && isWord(before) && at + 1 < text.length() && ties(at, at + 1))
        && !(isTie(before) && isWord(after) && at > 1 && ties(at - 1, at));
  }

  /// Whether the mark at a place holds what is around it together.
  private boolean ties(int mark, int after) {
    char previous = text.charAt(mark - 1);
    char next = text.charAt(after);
    return switch (text.charAt(mark)) {
      case '.', ',', ':' -> Character.isDigit(previous) && Character.isDigit(next);
      default -> isWord(previous) && isWord(next);
    };
  }

  private static boolean isTie(char c) {
    return c == '\'' || c == '-' || c == '.' || c == ',' || c == ':';
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || Character.isSurrogate(c);
  }

  private static final class Folding {
    private final String original;
    private final StringBuilder text;
    private int[] starts;
    private int[] ends;

    Folding(String original) {
      this.original = original;
      this.text = new StringBuilder(original.length());
      this.starts = new int[original.length() + 16];
      this.ends = new int[original.length() + 16];
    }

    void run() {
      int at = 0;
      while (at < original.length()) {
        int end = clusterEnd(at);
        if (end == at + 1 && original.charAt(at) < 0x80) {
          add(Character.toLowerCase(original.charAt(at)), at, end);
        } else {
          String folded =
              Normalizer.normalize(original.substring(at, end), Normalizer.Form.NFKC)
                  .toLowerCase(Locale.ROOT);
          for (int i = 0; i < folded.length(); i++) {
            add(folded.charAt(i), at, end);
          }
        }
        at = end;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) == ' ') {
        text.setLength(text.length() - 1);
      }
    }

    /// Behind a character and the marks that join with it.
    private int clusterEnd(int at) {
      int end = at + Character.charCount(original.codePointAt(at));
      int marks = 0;
      while (end < original.length() && marks < MOST_MARKS && joins(original.codePointAt(end))) {
        end += Character.charCount(original.codePointAt(end));
        marks++;
      }
      return end;
    }

    private static boolean joins(int c) {
      if (c < 0x300) {
        return false;
      }
      int type = Character.getType(c);
      return type == Character.NON_SPACING_MARK
          || type == Character.ENCLOSING_MARK
          || type == Character.COMBINING_SPACING_MARK
          || (c >= 0x1160 && c <= 0x11FF)
          || c == 0xFF9E
          || c == 0xFF9F;
    }

    private void add(char c, int start, int end) {
      char plain = plain(c);
      if (plain == 0
          || (plain == ' ' && (text.isEmpty() || text.charAt(text.length() - 1) == ' '))) {
        return;
      }
      if (text.length() == starts.length) {
        starts = Arrays.copyOf(starts, starts.length * 2);
        ends = Arrays.copyOf(ends, ends.length * 2);
      }
      starts[text.length()] = start;
      ends[text.length()] = end;
      text.append(plain);
    }

    /// @return 0 for what is not there to be read
    private static char plain(char c) {
      if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
        return ' ';
      }
      if (Character.isDigit(c)) {
        return (char) ('0' + Character.digit(c, 10));
      }
      return switch (c) {
        case '*', '`' -> 0;
        case '‘', '’', '‚', '‛', 'ʼ', '′' -> '\'';
        case '“', '”', '„', '‟', '″', '«', '»' -> '"';
        case '‐', '‑', '‒', '–', '—', '―', '−' -> '-';
        default -> isInvisible(c) ? 0 : c;
      };
    }

    private static boolean isInvisible(char c) {
      int type = Character.getType(c);
      return type == Character.FORMAT
          || type == Character.CONTROL
          || (c >= 0xFE00 && c <= 0xFE0F)
          || c == 0x034F;
    }
  }
}
