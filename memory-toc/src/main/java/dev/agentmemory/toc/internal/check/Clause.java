package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Terms;
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
/// @param supposes whether it only holds under a condition, or tells one
record Clause(Set<String> stems, boolean denies, boolean asks, boolean supposes) {

  private static final Lexicon WORDS = Lexicon.beside(Clause.class, "clauses.txt");

  private static final Pattern BORDER =
      Pattern.compile("[,;:()，；：]| - |\\b" + WORDS.alternation("border") + "\\b");

  /// What denies only the words behind it, within a clause.
  private static final Pattern BEHIND =
      Pattern.compile("\\b(?:without|instead of|rather than|ohne|statt|sans|sin|au lieu de)\\b");

  /// Makes what it stands in a condition.
  private static final Pattern CONDITION =
      Pattern.compile("\\b" + WORDS.alternation("condition", "condition inside") + "\\b");

  /// The same at the start of a sentence, for all of it.
  private static final Pattern OPENING =
      Pattern.compile(
          "^[\\s\"'*_>#-]*(?:"
              + WORDS.alternation("opening")
              + " )?(?:"
              + WORDS.alternation("condition")
              + "|provided|(?<time>when|whenever|once|wenn|sobald))\\b");

  /// Of a time that is past, `when` is no condition.
  private static final Pattern PAST =
      Pattern.compile("\\b(?:" + WORDS.alternation("past") + "|\\p{L}{3,}ed)\\b");

  /// Says that something is in the balance.
  private static final Pattern OPEN = Pattern.compile("\\b" + WORDS.alternation("open") + "\\b");

  private static final Set<String> DENIALS = WORDS.words("denial");
  private static final Pattern WORD = Pattern.compile("[\\p{L}][\\p{L}\\p{M}']*");
  private static final Pattern SIGNS = Pattern.compile("[不没沒无無未别勿]|ない|ません|なかった|않|못");

  static List<Clause> of(String folded) {
    var clauses = new ArrayList<Clause>();
    int start = 0;
    while (start < folded.length()) {
      int end = sentenceEnd(folded, start);
      String said = folded.substring(start, end);
      start = end;
      boolean asks = isQuestion(said);
      boolean supposed = isSupposed(said);
      String[] parts = BORDER.split(said, -1);
      for (int i = 0; i < parts.length; i++) {
        String part = parts[i];
        boolean supposes =
            supposed
                || CONDITION.matcher(part).find()
                || (i + 1 < parts.length && CONDITION.matcher(parts[i + 1].strip()).lookingAt());
        Matcher behind = BEHIND.matcher(part);
        int from = 0;
        boolean denied = false;
        while (behind.find()) {
          add(clauses, part.substring(from, behind.start()), denied, asks, supposes);
          from = behind.end();
          denied = true;
        }
        add(clauses, part.substring(from), denied, asks, supposes);
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

  private static boolean isQuestion(String said) {
    String text = said.stripTrailing();
    int end = text.length();
    while (end > 0 && "\"')]_ ".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return end > 0 && (text.charAt(end - 1) == '?' || text.charAt(end - 1) == '？');
  }

  /// Whether all of a sentence is under a condition that it starts with.
  private static boolean isSupposed(String said) {
    Matcher opening = OPENING.matcher(said);
    return opening.find() && (opening.group("time") == null || !PAST.matcher(said).find());
  }

  /// Whether a text says itself that it only asks, or supposes.
  static boolean isOpen(String folded) {
    return isQuestion(folded) || CONDITION.matcher(folded).find() || OPEN.matcher(folded).find();
  }

  /// Whether it claims nothing.
  boolean isOpen() {
    return asks || supposes;
  }

  private static void add(
      List<Clause> clauses, String part, boolean denied, boolean asks, boolean supposes) {
    Set<String> stems = ClaimWording.stems(Terms.of(part));
    if (!stems.isEmpty()) {
      clauses.add(new Clause(stems, denied ^ denies(part), asks, supposes));
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
