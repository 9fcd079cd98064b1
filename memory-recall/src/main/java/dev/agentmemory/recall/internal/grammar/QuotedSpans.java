package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.text.Slice;
import java.util.ArrayList;
import java.util.List;

/// Finds what stands in quotation marks. Words of a quote are somebody else's.
public final class QuotedSpans {

  private static final int LONGEST = 600;
  private static final String OPENING = "\"\u201c\u201e\u00ab\u2018'";
  private static final String BEFORE = " \t\n(:[,\u2013\u2014-";

  private QuotedSpans() {}

  /// The quotes between two indexes, marks included, in order. A mark without its partner opens no
  /// quote.
  public static List<Slice> of(String text, int from, int to) {
    var spans = new ArrayList<Slice>();
    int at = from;
    while (at < to) {
      int end = OPENING.indexOf(text.charAt(at)) < 0 ? at : end(text, from, at, to);
      if (end > at) {
        spans.add(new Slice(at, end));
      }
      at = Math.max(end, at + 1);
    }
    return spans;
  }

  /// Behind the quote that opens here; `at` when none does.
  private static int end(String text, int from, int at, int to) {
    char mark = text.charAt(at);
    boolean begins = at == from || BEFORE.indexOf(text.charAt(at - 1)) >= 0;
    boolean inches = mark == '"' && at > from && Character.isDigit(text.charAt(at - 1));
    if (inches || (isSingle(mark) && !begins)) {
      return at;
    }
    int border = Math.min(to, at + LONGEST);
    for (int i = at + 1; i < border; i++) {
      if (closes(text, mark, i, to)) {
        return i + 1;
      }
    }
    return at;
  }

  private static boolean isSingle(char mark) {
    return mark == '\'' || mark == '\u2018';
  }

  private static boolean closes(String text, char opening, int at, int to) {
    char c = text.charAt(at);
    return switch (opening) {
      case '"' -> c == '"';
      case '\u201c' -> c == '\u201d' || c == '"';
      case '\u201e' -> c == '\u201c' || c == '\u201d';
      case '\u00ab' -> c == '\u00bb';
      default ->
          (c == '\'' || c == '\u2019')
              && (at + 1 >= to || !Character.isLetterOrDigit(text.charAt(at + 1)));
    };
  }
}
