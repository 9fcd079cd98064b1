package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.internal.wording.EnglishStems;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// How much each term of a passage matters: by how often it occurs, and by what it is. Names from
/// programs count most, words that any work has little. The forms of a word are one term. A turn
/// that repeats a term adds less each time, since a long list or listing names little else.
final class TermWeights {

  private static final Set<String> COMMON =
      Lexicon.beside(TermWeights.class, "work-words.txt").words("common");
  private static final double COMMON_SHARE = 0.35;
  private static final double TOOL_SHARE = 0.3;
  private static final double GROWTH = 0.7;
  private static final double GROWTH_IN_A_TURN = 0.7;
  private static final int SHORTEST_NAME = 4;
  private static final int LONGEST_NAME = 24;

  private final Map<String, Tally> tallies = new HashMap<>();

  private static final class Tally {
    private double times;
    private double kind;
    private boolean common;
    private String name = "";
  }

  /// Words that any work has.
  static Set<String> common() {
    return COMMON;
  }

  /// Counts the terms of a turn.
  void add(SpokenTurn turn) {
    double times =
        switch (turn.kind()) {
          case PERSON, ASSISTANT, COMPACTION -> 1;
          case TOOL -> TOOL_SHARE;
          case PROGRAM, NONE -> 0;
        };
    if (times == 0) {
      return;
    }
    var timesInTurn = new HashMap<String, Integer>();
    for (Term term : Terms.of(turn.text())) {
      if (counts(term)) {
        timesInTurn.merge(key(term), 1, Integer::sum);
        var tally = tallies.computeIfAbsent(key(term), _ -> new Tally());
        tally.common |= COMMON.contains(term.key());
        tally.kind = Math.max(tally.kind, kind(term));
        if (term.kind() == Term.Kind.IDENTIFIER || term.kind() == Term.Kind.PATH) {
          tally.name = term.text().substring(term.text().lastIndexOf('/') + 1);
        }
      }
    }
    timesInTurn.forEach((key, count) ->
        Objects.requireNonNull(tallies.get(key)).times +=
            times * StrictMath.pow(count, GROWTH_IN_A_TURN));
  }

  /// The same for the forms of a word.
  static String key(Term term) {
    return switch (term.kind()) {
      case WORD, GENERIC -> EnglishStems.of(term.key());
      case STOP, POLITE, NUMBER, IDENTIFIER, PATH, CODE, OPAQUE, CJK -> term.key();
    };
  }

  static boolean counts(Term term) {
    return term.isContent() && term.key().length() > 1;
  }

  /// @param key by [#key]
  double of(String key) {
    Tally tally = tallies.get(key);
    if (tally == null) {
      return 0;
    }
    double share = tally.common ? COMMON_SHARE : 1;
    return share * tally.kind * StrictMath.pow(tally.times, GROWTH);
  }

  /// The files and names of programs that matter most, each once.
  List<String> names(int limit) {
    return tallies.entrySet().stream()
        .filter(entry -> isName(entry.getValue().name))
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, Tally> entry) -> -of(entry.getKey()))
                .thenComparing(Map.Entry.comparingByKey()))
        .map(entry -> entry.getValue().name)
        .distinct()
        .limit(limit)
        .toList();
  }

  private static boolean isName(String name) {
    return name.length() >= SHORTEST_NAME
        && name.length() <= LONGEST_NAME
        && Character.isLetter(name.charAt(0));
  }

  private static double kind(Term term) {
    return switch (term.kind()) {
      case IDENTIFIER, CODE -> 1.6;
      case PATH -> 1.3;
      case WORD, CJK -> 1;
      case NUMBER -> 0.5;
      case GENERIC -> 0.15;
      case STOP, POLITE, OPAQUE -> 0;
    };
  }
}
