package dev.agentmemory.recall.internal.grammar;

import java.util.HashMap;
import java.util.Map;

/// Maps the forms of a word to one text: `hashed` and `hashing` to `hash`, `keys` to `key`.
public final class WordStems {

  private static final int LONG = 4;
  private static final int COMMON = 5;
  private static final double SHARE = 0.6;
  private static final Map<String, String> BASES = bases();

  private WordStems() {}

  private static Map<String, String> bases() {
    var bases = new HashMap<String, String>();
    for (WordClass one : WordClass.values()) {
      if (one.isListed() && one.isVerb()) {
        for (String base : WordClass.VERBS.words(one.section())) {
          VerbForms forms = VerbForms.of(base);
          bases.put(base, base);
          bases.putIfAbsent(forms.third(), base);
          forms.gerund().forEach(form -> bases.putIfAbsent(form, base));
          forms.past().forEach(form -> bases.putIfAbsent(form, base));
        }
      }
    }
    return bases;
  }

  /// @param word in lower case
  public static String of(String word) {
    String base = BASES.get(word);
    if (base != null) {
      return base;
    }
    int length = word.length();
    if (length < LONG || !Character.isLetter(word.charAt(length - 1))) {
      return word;
    }
    if (word.endsWith("ies")) {
      return word.substring(0, length - 3) + "y";
    }
    if (word.endsWith("ches") || word.endsWith("shes") || word.endsWith("xes")) {
      return word.substring(0, length - 2);
    }
    char before = word.charAt(length - 2);
    if (word.endsWith("s") && before != 's' && before != 'u' && before != 'i') {
      return of(word.substring(0, length - 1));
    }
    return word.endsWith("ing") && length > LONG + 2 ? word.substring(0, length - 3) : word;
  }

  /// What a stem has in common with all that are related to it.
  public static String beginning(String stem) {
    return stem.substring(0, Math.min(stem.length(), COMMON));
  }

  /// Whether two stems are forms of one word: they begin alike, as `approve` and `approval`.
  public static boolean areRelated(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    int longest = Math.max(one.length(), other.length());
    int common = 0;
    int least = Math.min(one.length(), other.length());
    while (common < least && one.charAt(common) == other.charAt(common)) {
      common++;
    }
    boolean word = common > 0 && Character.isLetter(one.charAt(common - 1));
    return word && common >= COMMON && common >= SHARE * longest;
  }
}
