package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Graphemes;
import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Makes headings of sentences: one clause, a capital in front, no full stop behind.
final class Headings {

  private static final int SHORTEST = 18;
  private static final double ENOUGH = 8;
  private static final double LEAST = 1.9;
  private static final Lexicon WORDS = Lexicon.beside(Headings.class, "headings.txt");
  private static final Set<String> SUBORDINATE = WORDS.words("subordinate");
  private static final List<String> BREAKS =
      Stream.concat(
              Stream.of("; ", " - ", " – ", " — ", ": ", ", ", " (", "，", "、", "；"),
              WORDS.phrases("break").stream().map(word -> " " + word + " "))
          .toList();

  private Headings() {}

  static String of(String sentence, int maxChars) {
    String text = withoutStop(PlainLine.of(sentence).replace("`", ""));
    String heading = text.length() > maxChars ? clause(text, maxChars) : text;
    return PlainLine.capitalised(Graphemes.shorten(withoutStop(heading), maxChars));
  }

  /// How much a heading tells.
  static double worth(String heading) {
    double content = 0;
    for (Term term : Terms.of(heading)) {
      if (term.isContent() && !term.part()) {
        content += term.kind() == Term.Kind.GENERIC || term.kind() == Term.Kind.CJK ? 0.4 : 1;
      }
    }
    return Math.min(content, ENOUGH) - (heading.endsWith("…") ? 1.5 : 0);
  }

  /// The beginning up to a break, or the main clause behind a subordinate one, whichever tells
  /// more; the text itself when neither says enough.
  private static String clause(String text, int maxChars) {
    String best = text;
    double worth = Math.max(LEAST, worth(Graphemes.shorten(text, maxChars)));
    for (String candidate : List.of(beginning(text, maxChars), mainClause(text, maxChars))) {
      if (candidate.length() < SHORTEST || candidate.length() > maxChars) {
        continue;
      }
      double tells = worth(candidate);
      if (tells > worth) {
        worth = tells;
        best = candidate;
      }
    }
    return best;
  }

  private static String mainClause(String text, int maxChars) {
    int comma = text.indexOf(", ");
    if (comma < 0 || !SUBORDINATE.contains(Requests.firstWord(text, 0, text.length()))) {
      return "";
    }
    String main = text.substring(comma + 2);
    return main.length() > maxChars ? beginning(main, maxChars) : main;
  }

  private static String beginning(String text, int maxChars) {
    int best = 0;
    for (String border : BREAKS) {
      int at = text.lastIndexOf(border, maxChars);
      while (at > 0 && !isBalanced(text, at)) {
        at = text.lastIndexOf(border, at - 1);
      }
      best = Math.max(best, at);
    }
    return text.substring(0, best);
  }

  private static boolean isBalanced(String text, int end) {
    int open = 0;
    int quotes = 0;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      quotes += c == '"' ? 1 : 0;
    }
    return open == 0 && quotes % 2 == 0;
  }

  private static String withoutStop(String text) {
    int end = text.length();
    while (end > 0 && ".!,:;-–—。！ ".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    String cut = text.substring(0, end);
    for (String politeness : List.of(" please", ", thanks", " for me", " thanks")) {
      if (cut.endsWith(politeness)) {
        cut = cut.substring(0, cut.length() - politeness.length());
      }
    }
    return cut;
  }
}
