package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Mood;
import dev.agentmemory.recall.internal.grammar.Clauses;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordToken;
import java.util.List;

/// A sentence of a turn, or a part of one that is judged by itself.
///
/// @param tokens never empty
/// @param cues the number of wordings of each [CueGroup]
/// @param item whether it belongs to an entry of a list
/// @param asks whether it asks something
/// @param head cues of the sentence that announces the list, all 0 when there is none
record TurnSentence(
    List<WordToken> tokens,
    List<ClauseShape> clauses,
    CueCounts cues,
    boolean item,
    boolean asks,
    CueCounts head) {

  static TurnSentence of(List<WordToken> tokens, boolean item, boolean asks, CueCounts head) {
    List<ClauseShape> clauses = Clauses.of(tokens);
    return new TurnSentence(tokens, clauses, CueGroup.count(tokens, clauses), item, asks, head);
  }

  /// A part of the sentence, cut at clauses.
  TurnSentence part(int firstToken, int endToken) {
    return of(tokens.subList(firstToken, endToken), item, false, head);
  }

  int start() {
    return tokens.getFirst().start();
  }

  int end() {
    return tokens.getLast().end();
  }

  int count(CueGroup group) {
    return cues.of(group);
  }

  /// The number of its words.
  int words() {
    int words = 0;
    int last = -1;
    for (WordToken token : tokens) {
      if (!token.is(WordClass.MARK) && token.start() != last) {
        words++;
        last = token.start();
      }
    }
    return words;
  }

  boolean has(WordClass kind) {
    for (WordToken token : tokens) {
      if (token.is(kind)) {
        return true;
      }
    }
    return false;
  }

  boolean has(Mood mood) {
    for (ClauseShape clause : clauses) {
      if (clause.mood() == mood) {
        return true;
      }
    }
    return false;
  }

  /// Whether it has no finite verb and no verb of an order.
  boolean isFragment() {
    for (ClauseShape clause : clauses) {
      if (clause.mood() != Mood.FRAGMENT) {
        return false;
      }
    }
    return true;
  }
}
