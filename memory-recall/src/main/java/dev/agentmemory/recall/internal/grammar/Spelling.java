package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.text.Lexicon;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads short forms and sloppy spellings as the words that they stand for: `don't` and `dont` as
/// `do not`.
final class Spelling {

  private static final Lexicon LIST = Lexicon.beside(Spelling.class, "spelling.txt");
  private static final Map<String, List<String>> EXPANSIONS = expansions();

  private Spelling() {}

  private static Map<String, List<String>> expansions() {
    var expansions = new HashMap<String, List<String>>();
    LIST.keys("expansion")
        .forEach((written, meant) -> expansions.put(written, List.of(meant.split(" ", -1))));
    return expansions;
  }

  /// The words that a word is read as; empty when it is read as it is written.
  ///
  /// @param word in the form of [#fold]
  static List<String> expansion(String word) {
    return EXPANSIONS.getOrDefault(word, List.of());
  }

  /// Lower case, with straight apostrophes.
  static String fold(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return lower.indexOf('\u2019') < 0 ? lower : lower.replace('\u2019', '\'');
  }

  /// Without the ending of a possessive.
  static String withoutPossessive(String word) {
    if (word.endsWith("'s")) {
      return word.substring(0, word.length() - 2);
    }
    return word.endsWith("'") ? word.substring(0, word.length() - 1) : word;
  }
}
