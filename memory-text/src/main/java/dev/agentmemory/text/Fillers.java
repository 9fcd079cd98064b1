package dev.agentmemory.text;

import java.util.List;
import java.util.Set;

/// Words without meaning at the beginning or end of a text: those of `filler-words.txt`. Inside a
/// text every word counts: `the endpoint returns ok` is not `the endpoint returns hello`.
final class Fillers {

  private static final Lexicon WORDS = Lexicon.beside(Fillers.class, "filler-words.txt");
  private static final Set<String> ANYWHERE = WORDS.words("anywhere");
  private static final Set<String> SET_OFF = WORDS.words("set off");

  private Fillers() {}

  /// @param words in lower case where case does not matter
  /// @param mark the word that represents the end of a clause
  /// @return a view of the words without fillers and marks at the beginning, and without fillers at
  ///   the end that follow a mark
  static List<String> without(List<String> words, String mark) {
    int start = start(words, mark);
    return words.subList(start, end(words, start, mark));
  }

  private static int start(List<String> words, String mark) {
    int start = 0;
    for (int i = 0; i < words.size() && isFiller(words.get(i), mark); i++) {
      boolean alone = SET_OFF.contains(words.get(i)) && i + 1 < words.size();
      start = alone && !words.get(i + 1).equals(mark) ? start : i + 1;
    }
    return start;
  }

  private static int end(List<String> words, int start, String mark) {
    int end = words.size();
    for (int i = words.size() - 1; i >= start && isFiller(words.get(i), mark); i--) {
      end = words.get(i).equals(mark) ? i : end;
    }
    return end;
  }

  private static boolean isFiller(String word, String mark) {
    return word.equals(mark) || ANYWHERE.contains(word) || SET_OFF.contains(word);
  }
}
