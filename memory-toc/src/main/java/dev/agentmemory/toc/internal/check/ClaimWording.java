package dev.agentmemory.toc.internal.check;

import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.internal.wording.EnglishStems;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The words of a text, as far as it matters whether another text has them too.
///
/// @param words every word, folded
/// @param stems of its content words, so that forms of one word are alike
/// @param measures its numbers
/// @param clauses its clauses
/// @param open whether it says itself that it only asks, or supposes
record ClaimWording(
    Set<String> words, Set<String> stems, Measures measures, List<Clause> clauses, boolean open) {

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}'_]*");
  private static final int STEM = 6;

  static ClaimWording of(String text) {
    // Line by line: an entry of a list is no part of the entry before it.
    String folded =
        text.lines().map(line -> Folded.of(line).text()).collect(Collectors.joining("\n"));
    return new ClaimWording(
        words(folded),
        stems(Terms.of(text)),
        Measures.of(folded),
        Clause.of(folded),
        Clause.isOpen(folded));
  }

  static Set<String> words(String folded) {
    Set<String> words = new HashSet<>();
    Matcher word = WORD.matcher(folded);
    while (word.find()) {
      String one = word.group();
      words.add(one.endsWith("'s") ? one.substring(0, one.length() - 2) : one);
    }
    return words;
  }

  static Set<String> stems(List<Term> terms) {
    Set<String> stems = new HashSet<>();
    for (Term term : terms) {
      if (term.kind() != Term.Kind.STOP) {
        stems.add(stem(term.key()));
      }
    }
    return stems;
  }

  /// Rough on purpose: `migrate`, `migrated` and `migration` are one, and so are a few words that
  /// only begin alike. What must not be mixed up, numbers, names and negations, is not compared by
  /// stems.
  static String stem(String key) {
    String word = EnglishStems.of(key.toLowerCase(Locale.ROOT));
    return word.length() > STEM ? word.substring(0, STEM) : word;
  }
}
