package dev.agentmemory.toc.summary.extractive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What others take up of what was said. People pick out of a turn what matters to them and talk on
/// about it. An agent's answer repeats its task in any case, so there it says nothing.
final class Reactions {

  private static final int MOST = 3;

  private final List<SpokenTurn> turns;
  private final List<Set<String>> keys;

  private Reactions(List<SpokenTurn> turns, List<Set<String>> keys) {
    this.turns = turns;
    this.keys = keys;
  }

  /// @param turns all of the passage
  /// @param statements what they state
  static Reactions of(List<SpokenTurn> turns, List<Statement> statements) {
    List<Set<String>> keys = new ArrayList<>(Collections.nCopies(turns.size(), Set.of()));
    for (Statement statement : statements) {
      int turn = statement.turn().index();
      if (!statement.turn().isAgent()) {
        keys.set(turn, union(keys.get(turn), statement.keys()));
      }
    }
    return new Reactions(turns, keys);
  }

  private static Set<String> union(Set<String> some, Set<String> more) {
    if (some.isEmpty()) {
      return more;
    }
    var all = new HashSet<String>(some);
    all.addAll(more);
    return all;
  }

  /// How many terms of a statement the next speaker uses, too; three are as good as any more.
  int to(Statement statement) {
    int next = statement.turn().index() + 1;
    while (next < turns.size() && !turns.get(next).isSpoken()) {
      next++;
    }
    if (next == turns.size() || statement.turn().isAgent() || turns.get(next).isAgent()) {
      return 0;
    }
    int shared = 0;
    for (String key : statement.keys()) {
      shared += keys.get(next).contains(key) ? 1 : 0;
    }
    return Math.min(shared, MOST);
  }
}
