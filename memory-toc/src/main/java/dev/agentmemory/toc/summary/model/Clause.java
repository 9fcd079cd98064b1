package dev.agentmemory.toc.summary.model;

import dev.agentmemory.toc.text.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A piece of a sentence that says or denies one thing.
///
/// @param stems of its words
/// @param denies whether it is negated
/// @param asks whether it belongs to a question, which claims nothing
record Clause(Set<String> stems, boolean denies, boolean asks) {

  private static final Pattern BORDER =
      Pattern.compile(
          "[,;:()，；：]| - |\\b(?:but|however|although|though|because|so|and|or|aber|sondern|und|mais|et"
              + "|pero|sino|y)\\b");

  /// What denies only the words behind it, within a clause.
  private static final Pattern BEHIND =
      Pattern.compile("\\b(?:without|instead of|rather than|ohne|statt|sans|sin|au lieu de)\\b");

  private static final Set<String> DENIALS =
      Set.of(
          "not",
          "no",
          "never",
          "none",
          "nobody",
          "nothing",
          "neither",
          "nor",
          "cannot",
          "hardly",
          "avoid",
          "avoids",
          "avoided",
          "avoiding",
          "refuse",
          "refuses",
          "refused",
          "against",
          "unable",
          "fail",
          "fails",
          "failed",
          "failing",
          "lacks",
          "lacked",
          "nowhere",
          "nicht",
          "kein",
          "keine",
          "keinen",
          "keinem",
          "keiner",
          "keines",
          "nie",
          "niemals",
          "weder",
          "niemand",
          "pas",
          "jamais",
          "aucun",
          "aucune",
          "rien",
          "nunca",
          "jamás",
          "nada",
          "ningún",
          "ninguna",
          "ninguno",
          "не",
          "нет",
          "нельзя",
          "никогда",
          "non",
          "não",
          "niet",
          "geen",
          "inte",
          "ikke");
  private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}\\p{M}']*");
  private static final Pattern SIGNS = Pattern.compile("[不没沒无無未别勿]|ない|ません|なかった|않|못");

  static List<Clause> of(String folded) {
    var clauses = new ArrayList<Clause>();
    int start = 0;
    while (start < folded.length()) {
      int end = sentenceEnd(folded, start);
      String said = folded.substring(start, end);
      start = end;
      boolean asks = said.endsWith("?") || said.endsWith("？");
      for (String part : BORDER.split(said, -1)) {
        Matcher behind = BEHIND.matcher(part);
        int from = 0;
        boolean denied = false;
        while (behind.find()) {
          add(clauses, part.substring(from, behind.start()), denied, asks);
          from = behind.end();
          denied = true;
        }
        add(clauses, part.substring(from), denied, asks);
      }
    }
    return clauses;
  }

  /// Behind the mark or line break that ends a sentence; the points of `a.b` and `1.2` do not.
  private static int sentenceEnd(String text, int start) {
    for (int at = start; at < text.length(); at++) {
      boolean last = at + 1 == text.length();
      switch (text.charAt(at)) {
        case '!', '?', '\n', '。', '！', '？' -> {
          return at + 1;
        }
        case '.' -> {
          if (last || Character.isWhitespace(text.charAt(at + 1))) {
            return at + 1;
          }
        }
        default -> {}
      }
    }
    return text.length();
  }

  private static void add(List<Clause> clauses, String part, boolean denied, boolean asks) {
    Set<String> stems = Wording.stems(Terms.of(part));
    if (!stems.isEmpty()) {
      clauses.add(new Clause(stems, denied ^ denies(part), asks));
    }
  }

  /// Twice denied is not denied: `does not fail`.
  private static boolean denies(String part) {
    int denials = 0;
    String before = "";
    Matcher word = WORD.matcher(part);
    while (word.find()) {
      String current = word.group();
      boolean only = before.equals("not") && (current.equals("only") || current.equals("just"));
      denials += DENIALS.contains(current) || current.endsWith("n't") ? 1 : 0;
      denials -= only ? 1 : 0;
      before = current;
    }
    return (denials % 2 == 1) ^ SIGNS.matcher(part).find();
  }

  int shared(Clause other) {
    int shared = 0;
    for (String stem : stems) {
      shared += other.stems.contains(stem) ? 1 : 0;
    }
    return shared;
  }
}
