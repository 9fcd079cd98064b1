package dev.agentmemory.bench.digest;

import dev.agentmemory.text.Lexicon;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The terms by which digests are compared: whole identifiers with a `=` before them, the parts of
/// identifiers, numbers, and words without their ending.
final class DigestTerms {

  private static final Lexicon WORDS = Lexicon.beside(DigestTerms.class, "terms.txt");
  private static final Set<String> FUNCTION_WORDS = WORDS.words("function");
  private static final List<String> ENDINGS = WORDS.phrases("ending");

  private static final Pattern TRAILING_E = Pattern.compile("e+$");
  private static final int SHORTEST_STEM = 3;
  private static final int SHORTEST_DOUBLED = 5;

  private static final Set<String> THIN =
      WORDS.words("thin").stream().map(DigestTerms::stem).collect(Collectors.toUnmodifiableSet());

  private static final Pattern WORD =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.\\-/]*[A-Za-z0-9_]|[A-Za-z0-9]");
  private static final Pattern PART =
      Pattern.compile("[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\\d+");
  private static final Predicate<String> HASH =
      Pattern.compile("(?=.*\\d)[0-9a-f]{7,40}").asMatchPredicate();
  private static final Predicate<String> ABBREVIATIONS =
      Pattern.compile("[A-Z]+s").asMatchPredicate();
  private static final Predicate<String> IDENTIFIER =
      Pattern.compile("_|[a-z][A-Z]|[A-Za-z]\\.[A-Za-z]|[A-Z]{2,}[a-z]|[A-Za-z]\\d|\\d\\.\\d")
          .asPredicate();

  private DigestTerms() {}

  /// The terms of a text, in order, with repetitions.
  static List<String> of(String text) {
    var terms = new ArrayList<String>();
    Matcher words = WORD.matcher(text);
    while (words.find()) {
      String word = words.group();
      String name = word.substring(word.lastIndexOf('/') + 1);
      if (HASH.test(name)) {
        continue;
      }
      if (isIdentifier(name)) {
        add(terms, name);
      } else {
        for (String piece : name.split("-", -1)) {
          add(terms, piece);
        }
      }
    }
    return terms;
  }

  /// Whether a title has too few terms to say what it is about.
  static boolean isThin(String title) {
    return of(title).stream().distinct().filter(term -> !THIN.contains(term)).count() < 2;
  }

  private static void add(List<String> terms, String piece) {
    if (isIdentifier(piece)) {
      terms.add("=" + piece.toLowerCase(Locale.ROOT));
    }
    Matcher parts = PART.matcher(piece);
    while (parts.find()) {
      String part = parts.group().toLowerCase(Locale.ROOT);
      if (part.length() > 1 && !FUNCTION_WORDS.contains(part)) {
        terms.add(Character.isDigit(part.charAt(0)) ? part : stem(part));
      }
    }
  }

  private static boolean isIdentifier(String word) {
    return !ABBREVIATIONS.test(word) && IDENTIFIER.test(word);
  }

  static String stem(String word) {
    String stem =
        ENDINGS.stream()
            .filter(word::endsWith)
            .filter(ending -> word.length() - ending.length() >= SHORTEST_STEM)
            .findFirst()
            .map(ending -> word.substring(0, word.length() - ending.length()))
            .orElse(word);
    int last = stem.length() - 1;
    boolean doubled =
        stem.length() >= SHORTEST_DOUBLED
            && stem.charAt(last) == stem.charAt(last - 1)
            && "sl".indexOf(stem.charAt(last)) < 0;
    if (doubled) {
      return stem.substring(0, last);
    }
    return stem.length() > SHORTEST_STEM ? TRAILING_E.matcher(stem).replaceFirst("") : stem;
  }
}
