package dev.agentmemory.recall.internal.grammar;

import java.util.ArrayList;
import java.util.List;

/// Cuts a sentence into clauses: at a colon, semicolon, dash or full stop, at a comma before what
/// can begin a clause, and before a conjunction that a pronoun follows.
public final class Clauses {

  private static final long STARTERS =
      WordClass.bits(
          WordClass.I,
          WordClass.WE,
          WordClass.YOU,
          WordClass.THEY,
          WordClass.IT,
          WordClass.DETERMINER,
          WordClass.QUESTION,
          WordClass.NOT,
          WordClass.LASTING,
          WordClass.SUBORDINATE,
          WordClass.CONJUNCTION,
          WordClass.BASE,
          WordClass.DO,
          WordClass.BE,
          WordClass.HAVE,
          WordClass.MODAL,
          WordClass.WILL,
          WordClass.OPENER,
          WordClass.CODE);

  private static final long PRONOUNS =
      WordClass.bits(WordClass.I, WordClass.WE, WordClass.YOU, WordClass.THEY, WordClass.IT);

  private Clauses() {}

  /// The shapes of the clauses, in order. A clause of openers only has none.
  public static List<ClauseShape> of(List<WordToken> tokens) {
    var shapes = new ArrayList<ClauseShape>();
    int from = 0;
    for (int i = 0; i <= tokens.size(); i++) {
      boolean last = i == tokens.size();
      if (last || ends(tokens, i)) {
        boolean mark = !last && tokens.get(i).is(WordClass.MARK);
        ClauseShape.Mood former =
            shapes.isEmpty() ? ClauseShape.Mood.FRAGMENT : shapes.getLast().mood();
        new ClauseReader(tokens, from, i).read(former).ifPresent(shapes::add);
        from = mark ? i + 1 : i;
      }
    }
    return shapes;
  }

  /// Whether a clause ends before a token.
  private static boolean ends(List<WordToken> tokens, int at) {
    WordToken token = tokens.get(at);
    if (token.is(WordClass.MARK)) {
      return !token.is(",") || (at + 1 < tokens.size() && tokens.get(at + 1).isAny(STARTERS));
    }
    boolean joins =
        token.is(WordClass.CONJUNCTION) && !token.is("then") && !token.is("yet") && at > 0;
    return joins
        && at + 1 < tokens.size()
        && tokens.get(at + 1).isAny(PRONOUNS)
        && !tokens.get(at - 1).is(WordClass.MARK);
  }

  /// Whether a clause begins at each token: at its first one, or behind its openers.
  public static boolean[] starts(List<WordToken> tokens, List<ClauseShape> clauses) {
    boolean[] starts = new boolean[tokens.size()];
    if (tokens.isEmpty()) {
      return starts;
    }
    starts[0] = true;
    for (ClauseShape clause : clauses) {
      int at = clause.start();
      starts[at] = true;
      while (at > 0
          && (tokens.get(at - 1).is(WordClass.OPENER) || tokens.get(at - 1).is(","))
          && !starts[at - 1]) {
        at--;
        starts[at] = true;
      }
    }
    return starts;
  }
}
