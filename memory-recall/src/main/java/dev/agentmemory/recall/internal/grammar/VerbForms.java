package dev.agentmemory.recall.internal.grammar;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The forms of a verb.
///
/// @param third third person singular of the present
/// @param gerund with -ing, in all spellings
/// @param past simple past and past participle, in all spellings
record VerbForms(String base, String third, Set<String> gerund, Set<String> past) {

  private static final String VOWELS = "aeiou";
  private static final Map<String, List<String>> IRREGULAR = irregular();

  VerbForms {
    gerund = Set.copyOf(gerund);
    past = Set.copyOf(past);
  }

  private static Map<String, List<String>> irregular() {
    var forms = new HashMap<String, List<String>>();
    for (String line : WordClass.IRREGULAR) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.size() != 3 || forms.put(words.getFirst(), words.subList(1, 3)) != null) {
        throw new AssertionError("verbs.txt: expected base, past and participle once: " + line);
      }
    }
    return forms;
  }

  static VerbForms of(String base) {
    String stem = base.endsWith("e") ? base.substring(0, base.length() - 1) : base;
    String twice = base + base.charAt(base.length() - 1);
    Set<String> gerund =
        switch (base) {
          case "be", "see", "agree", "free" -> Set.of(base + "ing");
          case "die", "lie" -> Set.of(base.charAt(0) + "ying");
          default -> doubles(base) ? Set.of(base + "ing", twice + "ing") : Set.of(stem + "ing");
        };
    return new VerbForms(base, third(base), gerund, past(base, twice));
  }

  private static String third(String base) {
    if (endsInConsonantY(base)) {
      return base.substring(0, base.length() - 1) + "ies";
    }
    boolean sibilant =
        base.endsWith("s")
            || base.endsWith("x")
            || base.endsWith("z")
            || base.endsWith("ch")
            || base.endsWith("sh")
            || base.endsWith("o");
    return base + (sibilant ? "es" : "s");
  }

  private static Set<String> past(String base, String twice) {
    List<String> listed = IRREGULAR.getOrDefault(base, List.of());
    if (!listed.isEmpty()) {
      return new HashSet<>(listed);
    }
    if (endsInConsonantY(base)) {
      return Set.of(base.substring(0, base.length() - 1) + "ied");
    }
    if (base.endsWith("e")) {
      return Set.of(base + "d");
    }
    return doubles(base) ? Set.of(base + "ed", twice + "ed") : Set.of(base + "ed");
  }

  private static boolean endsInConsonantY(String base) {
    int length = base.length();
    return length > 2 && base.endsWith("y") && VOWELS.indexOf(base.charAt(length - 2)) < 0;
  }

  /// Whether the last consonant may double. It does after one vowel, in some words only.
  private static boolean doubles(String base) {
    int length = base.length();
    if (length < 3 || "aeiouwxy".indexOf(base.charAt(length - 1)) >= 0) {
      return false;
    }
    boolean vowel = VOWELS.indexOf(base.charAt(length - 2)) >= 0;
    return vowel && VOWELS.indexOf(base.charAt(length - 3)) < 0;
  }
}
