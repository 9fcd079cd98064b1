package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.ClauseShape.Mood;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Tense;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.text.Lexicon;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The names of the features of a sentence, in the order of their values in [SentenceFeatures].
final class FeatureNames {

  /// Groups of subjects.
  static final List<String> SUBJECTS =
      List.of("i", "we", "you", "person", "it", "the thing", "a thing", "nobody");

  /// The verbs that count.
  static final List<WordClass> VERBS =
      List.of(
          WordClass.SETTLE,
          WordClass.TRANSACT,
          WordClass.KEEP,
          WordClass.REMOVE,
          WordClass.ADOPT,
          WordClass.LIKE,
          WordClass.WANT,
          WordClass.HABIT,
          WordClass.LEARN,
          WordClass.INVESTIGATE,
          WordClass.CAUSE,
          WordClass.BEHAVE,
          WordClass.SAY,
          WordClass.PONDER,
          WordClass.CHANGE,
          WordClass.TASK);

  /// The words that count wherever they stand.
  static final List<WordClass> WORDS =
      List.of(
          WordClass.NUMBER,
          WordClass.UNIT,
          WordClass.CODE,
          WordClass.NAME,
          WordClass.QUOTE,
          WordClass.PERSON,
          WordClass.EXPERT,
          WordClass.PROBLEM,
          WordClass.REASON,
          WordClass.DELIVERABLE,
          WordClass.INSTRUMENT,
          WordClass.LASTING,
          WordClass.HABITUAL,
          WordClass.MOOD,
          WordClass.NOT);

  private static final Lexicon FUNCTION_WORDS =
      Lexicon.beside(FeatureNames.class, "function-words.txt");

  /// What is true of the sentence as a whole or of its place.
  static final List<String> PLACES =
      List.of(
          "item",
          "first of the turn",
          "only statement of the turn",
          "before a request",
          "after evidence",
          "after a finding",
          "head settled",
          "head open",
          "at most 3 words",
          "at most 6 words",
          "at most 12 words",
          "at most 24 words",
          "more words",
          "several clauses",
          "colon",
          "exclamation",
          "announces",
          "negated",
          "passive",
          "lasting",
          "lasting order",
          "negated order",
          "generic order");

  private static final CueGroup FIRST = EnumSet.allOf(CueGroup.class).iterator().next();

  private static final List<String> ALL = all();
  private static final Map<String, Integer> INDEXES = indexes();

  static final int CUE = index("cue " + FIRST.section());
  static final int MORE = index("more " + FIRST.section());
  static final int CLAUSE = index("clause i present");
  static final int MOOD = index("mood statement");
  static final int OWN_VERB = index("own verb settle");
  static final int OTHER_VERB = index("other verb settle");
  static final int ORDER_VERB = index("order verb settle");
  static final int WORD = index("word number");
  static final int PLACE = index("item");

  /// Repeats all features above, for turns of an assistant only.
  static final int ASSISTANT = index("assistant");

  private FeatureNames() {}

  private static List<String> all() {
    var names = new ArrayList<String>();
    for (CueGroup group : CueGroup.values()) {
      names.add("cue " + group.section());
    }
    for (CueGroup group : CueGroup.values()) {
      names.add("more " + group.section());
    }
    for (String subject : SUBJECTS) {
      for (Tense tense : Tense.values()) {
        names.add("clause " + subject + " " + lower(tense));
      }
    }
    for (Mood mood : Mood.values()) {
      names.add("mood " + lower(mood));
    }
    for (String whose : List.of("own", "other", "order")) {
      VERBS.forEach(verb -> names.add(whose + " verb " + lower(verb)));
    }
    WORDS.forEach(word -> names.add("word " + lower(word)));
    names.addAll(PLACES);
    FUNCTION_WORDS.words("word").forEach(word -> names.add("has " + word));
    FUNCTION_WORDS.words("opening").forEach(word -> names.add("opens " + word));
    List<String> common = List.copyOf(names);
    names.add("assistant");
    common.forEach(name -> names.add("assistant " + name));
    return List.copyOf(names);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Integer> indexes() {
    var indexes = new HashMap<String, Integer>();
    for (String name : ALL) {
      if (indexes.put(name, indexes.size()) != null) {
        throw new AssertionError("two features are called " + name);
      }
    }
    return indexes;
  }

  static int size() {
    return ALL.size();
  }

  static String name(int index) {
    return ALL.get(index);
  }

  /// @throws AssertionError when no feature has this name
  static int index(String name) {
    Integer index = INDEXES.get(name);
    if (index == null) {
      throw new AssertionError("no feature is called " + name);
    }
    return index;
  }

  /// The indexes of the features that begin with a prefix, by the rest of their names.
  static Map<String, Integer> rests(String prefix) {
    var rests = new HashMap<String, Integer>();
    INDEXES.forEach((name, index) -> {
      if (name.startsWith(prefix)) {
        rests.put(name.substring(prefix.length()), index);
      }
    });
    return rests;
  }
}
