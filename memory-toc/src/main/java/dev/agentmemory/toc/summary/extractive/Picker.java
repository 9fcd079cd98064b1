package dev.agentmemory.toc.summary.extractive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Chooses statements one by one: each time the best that does not say again what the chosen ones
/// say.
final class Picker {

  private static final double SAME_SAYING = 1.2;
  private static final double SAME_TURN = 1.5;
  private static final double SAME_LONG_TURN = 0.4;
  private static final int LONG_TURN = 700;
  private static final double SAME = 0.75;

  /// A statement and what it is worth beside the ones already chosen.
  record Scored(Statement statement, double score, double worth) {

    Scored(Statement statement, double score) {
      this(statement, score, score);
    }

    Scored beside(Scored chosen) {
      double likeness = similarity(statement.keys(), chosen.statement.keys());
      double less = likeness > SAME ? score : SAME_SAYING * likeness;
      if (statement.turn().index() == chosen.statement.turn().index()) {
        less += statement.turn().text().length() > LONG_TURN ? SAME_LONG_TURN : SAME_TURN;
      }
      return new Scored(statement, score, Math.min(worth, score - less));
    }
  }

  private Picker() {}

  /// @param least candidates worth less than that are left out
  /// @return at most `limit`, in the order of choice
  static List<Scored> pick(List<Scored> candidates, int limit, double least) {
    var left = new ArrayList<Scored>(candidates);
    var picked = new ArrayList<Scored>();
    while (picked.size() < limit && !left.isEmpty()) {
      int best = 0;
      for (int i = 1; i < left.size(); i++) {
        best = left.get(i).worth() > left.get(best).worth() ? i : best;
      }
      Scored chosen = left.remove(best);
      if (chosen.worth() < least) {
        break;
      }
      picked.add(chosen);
      left.replaceAll(other -> other.beside(chosen));
    }
    picked.sort(Comparator.comparingDouble(Scored::score).reversed());
    return picked;
  }

  /// Cosine of two sets of keys, 0 to 1.
  static double similarity(Set<String> some, Set<String> others) {
    if (some.isEmpty() || others.isEmpty()) {
      return 0;
    }
    Set<String> small = some.size() < others.size() ? some : others;
    Set<String> large = some.size() < others.size() ? others : some;
    int shared = 0;
    for (String key : small) {
      shared += large.contains(key) ? 1 : 0;
    }
    return shared / Math.sqrt((double) small.size() * large.size());
  }
}
