package dev.agentmemory.toc.summary;

import dev.agentmemory.toc.text.Graphemes;
import java.util.List;

/// Makes headings of sentences: one clause, a capital in front, no full stop behind.
final class Headings {

  private static final int SHORTEST = 18;
  private static final List<String> BREAKS =
      List.of(
          "; ",
          " - ",
          " – ",
          " — ",
          ". ",
          ": ",
          " because ",
          " so that ",
          ", ",
          " since ",
          " which ",
          " and then ",
          " (",
          " where ",
          " when ",
          " so ",
          " but ");

  private Headings() {}

  static String of(String sentence, int maxChars) {
    String text = PlainLine.of(sentence);
    if (text.length() > maxChars) {
      text = clause(text, maxChars);
    }
    return PlainLine.capitalised(Graphemes.shorten(withoutStop(text), maxChars));
  }

  /// The longest beginning that ends before a break and fits; the text itself when there is none.
  private static String clause(String text, int maxChars) {
    int best = 0;
    for (String border : BREAKS) {
      int at = text.lastIndexOf(border, maxChars);
      best = at >= SHORTEST && at <= maxChars ? Math.max(best, at) : best;
    }
    return best > 0 ? text.substring(0, best) : text;
  }

  private static String withoutStop(String text) {
    int end = text.length();
    while (end > 0 && ".!,:;。！ ".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    String cut = text.substring(0, end);
    for (String politeness : List.of(" please", ", thanks", " for me")) {
      if (cut.endsWith(politeness)) {
        cut = cut.substring(0, cut.length() - politeness.length());
      }
    }
    return cut;
  }
}
