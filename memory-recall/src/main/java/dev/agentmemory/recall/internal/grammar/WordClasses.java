package dev.agentmemory.recall.internal.grammar;

import java.util.HashMap;
import java.util.Map;

/// The classes of words: those of the lists, and for other words what their ending suggests.
final class WordClasses {

  private static final int SHORTEST = 5;
  private static final Map<String, Long> CLASSES = classes();
  private static final long VERB = WordClass.ANY.bit();

  private WordClasses() {}

  private static Map<String, Long> classes() {
    var classes = new HashMap<String, Long>();
    for (WordClass one : WordClass.values()) {
      if (one.isListed() && one.isVerb()) {
        for (String base : WordClass.VERBS.words(one.section())) {
          addVerb(classes, base, one.bit() | WordClass.ANY.bit());
        }
      } else if (one.isListed()) {
        WordClass.WORDS.words(one.section()).forEach(word -> add(classes, word, one.bit()));
      }
    }
    return classes;
  }

  private static void addVerb(Map<String, Long> classes, String base, long bits) {
    VerbForms forms = VerbForms.of(base);
    add(classes, base, bits | WordClass.BASE.bit());
    add(classes, forms.third(), bits | WordClass.THIRD.bit());
    forms.gerund().forEach(form -> add(classes, form, bits | WordClass.GERUND.bit()));
    forms.past().forEach(form -> add(classes, form, bits | WordClass.PAST.bit()));
  }

  private static void add(Map<String, Long> classes, String word, long bits) {
    classes.merge(word, bits, (former, more) -> former | more);
  }

  /// The classes of a word as bits.
  ///
  /// @param word in lower case
  static long of(String word) {
    Long listed = CLASSES.get(word);
    if (listed != null) {
      return listed;
    }
    if (word.startsWith("re-")) {
      return of(word.substring(3));
    }
    if (word.length() < SHORTEST || WordClass.NO_VERBS.contains(word)) {
      return 0;
    }
    if (word.endsWith("ing")) {
      return VERB | WordClass.GERUND.bit();
    }
    return word.endsWith("ed") ? VERB | WordClass.PAST.bit() : 0;
  }
}
