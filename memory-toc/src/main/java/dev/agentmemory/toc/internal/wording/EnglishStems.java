package dev.agentmemory.toc.internal.wording;

import dev.agentmemory.text.Lexicon;
import java.util.SequencedSet;

/// Maps the forms of an English word to one stem: `condense`, `condensed` and `condensing`. It is
/// approximate; words of other languages may lose an ending too.
public final class EnglishStems {

  private static final int SHORTEST = 3;

  /// Endings that forms of one word differ by, the longest first.
  private static final SequencedSet<String> ENDINGS =
      Lexicon.beside(EnglishStems.class, "endings.txt").words("ending");

  private EnglishStems() {}

  /// @param word in lower case
  public static String of(String word) {
    String stem = word;
    for (String ending : ENDINGS) {
      if (word.endsWith(ending) && word.length() - ending.length() >= SHORTEST) {
        stem = word.substring(0, word.length() - ending.length());
        break;
      }
    }
    int last = stem.length() - 1;
    boolean doubled = last >= SHORTEST && stem.charAt(last) == stem.charAt(last - 1);
    return doubled ? stem.substring(0, last) : stem;
  }
}
