package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Lexicon;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Words that deny each other without a `not`: a text that has one where its evidence has only the
/// other turns it around.
final class Opposites {

  private static final List<String> PREFIXES = List.of("un", "dis", "non", "in", "im", "ir");
  private static final int SHORTEST = 4;

  private static final Lexicon WORDS = Lexicon.beside(Opposites.class, "opposites.txt");

  private static final Map<String, Set<String>> PAIRS =
      WORDS.pairs("pair").stream()
          .flatMap(pair -> Stream.of(pair, Map.entry(pair.getValue(), pair.getKey())))
          .collect(
              Collectors.groupingBy(
                  Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));

  /// Each word of one denies each word of the other.
  private static final Set<String> YES = WORDS.words("yes");

  private static final Set<String> NO = WORDS.words("no");

  private Opposites() {}

  /// @param said the words of a text
  /// @param known those of its evidence
  static boolean turned(Set<String> said, Set<String> known) {
    return said.stream()
        .filter(word -> !known.contains(word))
        .anyMatch(word -> isPaired(word, known) || isPrefixed(word, known));
  }

  private static boolean isPaired(String word, Set<String> known) {
    boolean paired = PAIRS.getOrDefault(word, Set.of()).stream().anyMatch(known::contains);
    return paired || isAnswered(word, known, YES, NO) || isAnswered(word, known, NO, YES);
  }

  private static boolean isAnswered(
      String word, Set<String> known, Set<String> one, Set<String> other) {
    return one.contains(word)
        && one.stream().noneMatch(known::contains)
        && other.stream().anyMatch(known::contains);
  }

  private static boolean isPrefixed(String word, Set<String> known) {
    for (String prefix : PREFIXES) {
      // `form` and `inform`, `side` and `inside` are no opposites.
      int shortest = prefix.charAt(0) == 'i' ? SHORTEST + 1 : SHORTEST;
      boolean taken =
          word.startsWith(prefix)
              && word.length() - prefix.length() >= shortest
              && known.contains(word.substring(prefix.length()));
      boolean put = word.length() >= shortest && known.contains(prefix + word);
      if (taken || put) {
        return true;
      }
    }
    return false;
  }
}
