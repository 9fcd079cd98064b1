package dev.agentmemory.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Words in which two wordings of one statement may differ: those of `light-words.txt`.
final class LightWords {

  private static final Set<String> LIGHT =
      Lexicon.beside(LightWords.class, "light-words.txt").words("light");

  private LightWords() {}

  /// @param words of a statement, in lower case where case does not matter
  /// @param marks the words that represent the end of a clause or a question
  /// @return the words without light ones. A light word at the end of a clause is kept: there it is
  ///   what the clause is about, as in `we use A`
  static List<String> without(List<String> words, Set<String> marks) {
    List<String> rest = new ArrayList<>(words.size());
    for (int i = 0; i < words.size(); i++) {
      boolean ends = i + 1 == words.size() || marks.contains(words.get(i + 1));
      if (ends || !LIGHT.contains(words.get(i))) {
        rest.add(words.get(i));
      }
    }
    return rest;
  }
}
