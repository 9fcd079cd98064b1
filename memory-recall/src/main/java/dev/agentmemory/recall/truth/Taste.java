package dev.agentmemory.recall.truth;

import dev.agentmemory.recall.internal.grammar.WordStems;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Lexicon;
import java.util.Set;

/// Whether a statement praises something or rejects it.
final class Taste {

  private static final Lexicon WORDS = Lexicon.beside(Taste.class, "taste-words.txt");
  private static final Set<String> GOOD = WORDS.words("good");
  private static final Set<String> BAD = WORDS.words("bad");

  private Taste() {}

  /// 1 for praise, -1 for rejection, 0 for neither.
  static int of(StatementContent content) {
    int taste = 0;
    int sign = 1;
    for (WordToken token : content.tokens()) {
      String stem = WordStems.of(token.key());
      if (token.is("not") || token.is("never") || token.is("no")) {
        sign = -1;
      }
      if (GOOD.contains(stem)) {
        taste += sign;
      } else if (BAD.contains(stem)) {
        taste -= sign == 1 || stem.equals("stand") ? 1 : -1;
      }
    }
    return Integer.signum(taste);
  }
}
