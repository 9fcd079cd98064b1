package dev.agentmemory.recall.internal.grammar;

import dev.agentmemory.text.Lexicon;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a word can be in a sentence. A word has a set of these, as bits of a `long`.
public enum WordClass {
  I("i"),
  WE("we"),
  YOU("you"),
  THEY("they"),
  IT("it"),
  DETERMINER("determiner"),
  DEFINITE("definite"),
  INDEFINITE("indefinite"),
  POSSESSIVE("possessive"),
  BE("be"),
  HAVE("have"),
  DO("do"),
  WILL("will"),
  MODAL("modal"),
  NOT("not"),
  QUESTION("question"),
  CONJUNCTION("conjunction"),
  SUBORDINATE("subordinate"),
  CONDITION("condition"),
  PREPOSITION("preposition"),
  ADVERB("adverb"),
  OPENER("opener"),
  COURTESY("courtesy"),
  NUMBER("number"),
  UNIT("unit"),
  PERSON("person"),
  EXPERT("expert"),
  PROBLEM("problem"),
  REASON("reason"),
  DELIVERABLE("deliverable"),
  INSTRUMENT("instrument"),
  LASTING("lasting"),
  HABITUAL("habitual"),
  TEMPORARY("temporary"),
  HEDGE("hedge"),
  GENERAL("general"),
  OUTCOME("outcome"),
  MOOD("mood"),
  SETTLE("settle"),
  TRANSACT("transact"),
  KEEP("keep"),
  REMOVE("remove"),
  ADOPT("adopt"),
  LIKE("like"),
  WANT("want"),
  HABIT("habit"),
  LEARN("learn"),
  INVESTIGATE("investigate"),
  CAUSE("cause"),
  BEHAVE("behave"),
  SAY("say"),
  PONDER("ponder"),
  CHANGE("change"),
  TASK("task"),
  /// A verb of any kind.
  ANY("other"),
  BASE(""),
  THIRD(""),
  GERUND(""),
  PAST(""),
  /// A name from a program.
  CODE(""),
  /// Written with a capital in the middle of a sentence, or with several.
  NAME(""),
  /// Some words in quotation marks, as one.
  QUOTE(""),
  /// A punctuation mark.
  MARK("");

  static final Lexicon WORDS = Lexicon.beside(WordClass.class, "words.txt");
  static final Lexicon VERBS = Lexicon.beside(WordClass.class, "verbs.txt");

  /// Base, simple past and past participle of verbs, one a line.
  static final List<String> IRREGULAR = VERBS.phrases("irregular");

  /// Ends like a form of a verb and is none.
  static final Set<String> NO_VERBS = WORDS.words("no verb");

  private static final Set<String> ABBREVIATIONS = WORDS.words("abbreviation");

  private final String section;

  WordClass(String section) {
    this.section = section;
  }

  /// Whether a full stop behind a word belongs to it.
  ///
  /// @param word in lower case, without the full stop
  public static boolean isAbbreviation(String word) {
    return word.length() == 1 || ABBREVIATIONS.contains(word);
  }

  // Bits are compared within a process and never stored.
  @SuppressWarnings("EnumOrdinal")
  public long bit() {
    return 1L << ordinal();
  }

  /// Whether a section of the verbs lists it.
  public boolean isVerb() {
    return compareTo(SETTLE) >= 0 && compareTo(ANY) <= 0;
  }

  /// Its name in lower case.
  public String symbol() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a list of words says what belongs to it.
  boolean isListed() {
    return !section.isEmpty();
  }

  String section() {
    return section;
  }

  static long bits(WordClass... classes) {
    return Arrays.stream(classes).mapToLong(WordClass::bit).reduce(0, (a, b) -> a | b);
  }

  /// @param name in lower case
  static Optional<WordClass> named(String name) {
    return Arrays.stream(values())
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }
}
