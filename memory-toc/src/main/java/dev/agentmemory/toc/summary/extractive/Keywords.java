package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Terms that a person would search for to find a passage again.
final class Keywords {

  static final int MAX = 8;

  private static final int LONGEST = 40;
  private static final int FEW = 3;
  private static final double LEAST_SHARE = 0.35;

  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final Set<String> names;

  Keywords(Set<String> names) {
    this.names = names;
  }

  /// Counts the terms of a statement.
  ///
  /// @param weight how much the statement matters, 0 to 1
  void add(Statement statement, double weight) {
    Term before = null;
    for (Term term : statement.terms()) {
      if (isCandidate(term)) {
        count(term.key(), bare(term.text()), term, statement, weight);
        if (before != null
            && before.end() + 1 == term.start()
            && isPlain(before)
            && isPlain(term)) {
          count(
              before.key() + " " + term.key(),
              before.text() + " " + bare(term.text()),
              term,
              statement,
              weight);
        }
      }
      before = isCandidate(term) ? term : null;
    }
  }

  private void count(String key, String text, Term term, Statement statement, double weight) {
    var tally = tallies.computeIfAbsent(key, _ -> new Tally(term.kind(), key.indexOf(' ') > 0));
    tally.add(text, statement.turn().index(), weight, statement.isProper(term));
  }

  private boolean isCandidate(Term term) {
    if (term.part() || term.text().length() > LONGEST || names.contains(term.key())) {
      return false;
    }
    return switch (term.kind()) {
      case WORD ->
          term.text().length() > 2
              || Character.isUpperCase(term.text().charAt(term.text().length() - 1));
      case IDENTIFIER, PATH, CODE -> true;
      case CJK -> term.text().length() > 1;
      case STOP, POLITE, GENERIC, NUMBER, OPAQUE -> false;
    };
  }

  /// Without a possessive ending.
  private static String bare(String word) {
    return word.endsWith("'s") || word.endsWith("’s") ? word.substring(0, word.length() - 2) : word;
  }

  private static boolean isPlain(Term term) {
    return term.kind() == Term.Kind.WORD;
  }

  /// A key with the score of what is known about it.
  private record Ranked(String key, Tally tally, double score) {}

  List<String> best() {
    var order = new ArrayList<Ranked>(tallies.size());
    tallies.forEach((key, tally) -> order.add(new Ranked(key, tally, tally.score())));
    order.sort(Comparator.comparingDouble(Ranked::score).reversed().thenComparing(Ranked::key));
    double first = order.isEmpty() ? 0 : order.getFirst().score();
    var chosen = new ArrayList<String>();
    var keys = new ArrayList<String>();
    for (Ranked one : order) {
      if (chosen.size() == MAX) {
        break;
      }
      if (one.score() > 0
          && (chosen.size() < FEW || one.score() > first * LEAST_SHARE)
          && keys.stream().noneMatch(key -> covers(key, one.key()))) {
        chosen.add(one.tally().spelling());
        keys.add(one.key());
      }
    }
    return chosen;
  }

  /// Whether one says what the other says, such as `support group` and `group`.
  private static boolean covers(String key, String other) {
    return (" " + key + " ").contains(" " + other + " ")
        || (" " + other + " ").contains(" " + key + " ");
  }

  /// What is known about one key.
  private static final class Tally {
    private final Term.Kind kind;
    private final boolean phrase;
    private final Map<String, Integer> spellings = new HashMap<>(2);
    private double weight;
    private int capitals;
    private int times;
    private int turns;
    private int lastTurn = -1;

    Tally(Term.Kind kind, boolean phrase) {
      this.kind = kind;
      this.phrase = phrase;
    }

    void add(String spelling, int turn, double more, boolean capital) {
      spellings.merge(spelling, 1, Integer::sum);
      weight = Math.max(weight, more);
      capitals += capital ? 1 : 0;
      times++;
      turns += turn == lastTurn ? 0 : 1;
      lastTurn = turn;
    }

    double score() {
      double shape =
          switch (kind) {
            case PATH -> 1.5;
            case IDENTIFIER -> 1.5;
            case CODE -> 1.4;
            case CJK -> times > 1 ? 0.9 : 0;
            case STOP, POLITE, GENERIC, WORD, NUMBER, OPAQUE -> 1;
          };
      if (phrase) {
        shape = capitals == times ? 1.5 : times > 1 ? 1.6 : 0.7;
      } else if (capitals * 2 > times) {
        shape += 0.5;
      } else if (kind == Term.Kind.WORD) {
        shape = isVerbForm() ? 0.55 : 0.8;
      }
      return shape
          * (0.3 + weight)
          * (0.6 + StrictMath.log1p(turns) + 0.3 * StrictMath.log1p(times));
    }

    private boolean isVerbForm() {
      return spellings.keySet().stream()
          .allMatch(word -> word.endsWith("ing") || word.endsWith("ed"));
    }

    String spelling() {
      return spellings.entrySet().stream()
          .max(
              Map.Entry.<String, Integer>comparingByValue()
                  .thenComparing(Map.Entry.comparingByKey()))
          .orElseThrow()
          .getKey();
    }
  }
}
