package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Mood;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Subject;
import dev.agentmemory.recall.internal.grammar.ClauseShape.Tense;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordToken;
import java.util.List;
import java.util.Map;

/// The features of a sentence in its turn: which wordings, clauses, verbs and words it has, and
/// where it stands. Their values are those of [FeatureNames].
final class SentenceFeatures {

  private static final int TENSES = Tense.values().length;
  private static final int MOST_MORE = 2;
  private static final int[] LENGTHS = {3, 6, 12, 24, Integer.MAX_VALUE};
  private static final int LENGTH = FeatureNames.index("at most 3 words");
  private static final int FIRST = FeatureNames.index("first of the turn");
  private static final int ONLY = FeatureNames.index("only statement of the turn");
  private static final int BEFORE_REQUEST = FeatureNames.index("before a request");
  private static final int AFTER_EVIDENCE = FeatureNames.index("after evidence");
  private static final int AFTER_FINDING = FeatureNames.index("after a finding");
  private static final int HEAD_SETTLED = FeatureNames.index("head settled");
  private static final int HEAD_OPEN = FeatureNames.index("head open");
  private static final int SEVERAL = FeatureNames.index("several clauses");
  private static final int COLON = FeatureNames.index("colon");
  private static final int NEGATED = FeatureNames.index("negated");
  private static final int PASSIVE = FeatureNames.index("passive");
  private static final int LASTING = FeatureNames.index("lasting");
  private static final int LASTING_ORDER = FeatureNames.index("lasting order");
  private static final int NEGATED_ORDER = FeatureNames.index("negated order");
  private static final int GENERIC_ORDER = FeatureNames.index("generic order");
  private static final int ANNOUNCES = FeatureNames.index("announces");
  private static final int EXCLAMATION = FeatureNames.index("exclamation");

  private static final Map<String, Integer> HAS = FeatureNames.rests("has ");
  private static final Map<String, Integer> OPENS = FeatureNames.rests("opens ");

  private final float[] values = new float[FeatureNames.size()];
  private final TurnSentence sentence;

  private SentenceFeatures(TurnSentence sentence) {
    this.sentence = sentence;
  }

  /// @param sentence a sentence of the turn, or a part of it
  /// @param turn the sentences of the turn
  /// @param at the index of the sentence in the turn
  static float[] of(
      TurnSentence sentence, List<TurnSentence> turn, int at, TurnSpeaker speaker, String text) {
    var features = new SentenceFeatures(sentence);
    features.cues();
    sentence.clauses().forEach(features::clause);
    features.words();
    features.place(turn, at, text);
    if (speaker == TurnSpeaker.ASSISTANT) {
      int half = FeatureNames.ASSISTANT;
      features.values[half] = 1;
      System.arraycopy(features.values, 0, features.values, half + 1, half);
    }
    return features.values;
  }

  private void cues() {
    for (CueGroup group : CueGroup.values()) {
      int count = sentence.count(group);
      values[FeatureNames.CUE + group.index()] = Math.min(count, 1);
      values[FeatureNames.MORE + group.index()] = Math.clamp(count - 1, 0, MOST_MORE);
    }
  }

  private void clause(ClauseShape clause) {
    values[FeatureNames.MOOD + clause.mood().index()] = 1;
    boolean order = clause.mood() == Mood.ORDER;
    if (clause.mood() == Mood.STATEMENT) {
      int subject = subject(clause.subject());
      values[FeatureNames.CLAUSE + subject * TENSES + clause.tense().index()] = 1;
    }
    boolean own =
        clause.subject() == Subject.I
            || clause.subject() == Subject.WE
            || clause.subject() == Subject.NONE;
    int verbs =
        order ? FeatureNames.ORDER_VERB : own ? FeatureNames.OWN_VERB : FeatureNames.OTHER_VERB;
    for (int i = 0; i < FeatureNames.VERBS.size(); i++) {
      if (clause.hasVerb(FeatureNames.VERBS.get(i))) {
        values[verbs + i] = 1;
      }
    }
    set(NEGATED, clause.traits().negated());
    set(PASSIVE, clause.traits().passive());
    set(LASTING, clause.traits().lasting());
    set(LASTING_ORDER, order && clause.traits().lasting());
    set(NEGATED_ORDER, order && clause.traits().negated());
    set(GENERIC_ORDER, order && !isDefinite(clause));
  }

  private static int subject(Subject subject) {
    return switch (subject) {
      case I -> 0;
      case WE -> 1;
      case YOU -> 2;
      case THEY, PERSON -> 3;
      case IT -> 4;
      case THE_THING -> 5;
      case A_THING, CODE -> 6;
      case NONE -> 7;
    };
  }

  /// Whether an order is about certain things: one-off orders are.
  private boolean isDefinite(ClauseShape clause) {
    for (int i = clause.start(); i < clause.end(); i++) {
      WordToken token = sentence.tokens().get(i);
      if (token.is(WordClass.DEFINITE) || token.is("it") || token.is(WordClass.CODE)) {
        return true;
      }
    }
    return false;
  }

  private void words() {
    for (int i = 0; i < FeatureNames.WORDS.size(); i++) {
      set(FeatureNames.WORD + i, sentence.has(FeatureNames.WORDS.get(i)));
    }
    for (WordToken token : sentence.tokens()) {
      Integer feature = HAS.get(token.key());
      if (feature != null) {
        values[feature] = 1;
      }
    }
    if (!sentence.clauses().isEmpty()) {
      int first = sentence.clauses().getFirst().start();
      Integer feature = OPENS.get(sentence.tokens().get(first).key());
      if (feature != null) {
        values[feature] = 1;
      }
    }
    int words = sentence.words();
    int length = 0;
    while (words > LENGTHS[length]) {
      length++;
    }
    boolean certain =
        sentence.count(CueGroup.DECISION_CERTAIN) > 0
            || sentence.count(CueGroup.PREFERENCE_CERTAIN) > 0
            || sentence.count(CueGroup.FINDING_CERTAIN) > 0;
    set(LENGTH + length, !certain);
  }

  private void place(List<TurnSentence> turn, int at, String text) {
    set(FeatureNames.PLACE, sentence.item());
    set(FIRST, at == 0);
    set(ONLY, isOnly(turn, at));
    set(BEFORE_REQUEST, at + 1 < turn.size() && isRequest(turn.get(at + 1)));
    if (at > 0) {
      TurnSentence before = turn.get(at - 1);
      set(AFTER_EVIDENCE, !before.asks() && before.count(CueGroup.EVIDENCE) > 0);
      set(AFTER_FINDING, !before.asks() && before.count(CueGroup.FINDING_EXPLICIT) > 0);
    }
    set(HEAD_SETTLED, sentence.head().of(CueGroup.HEAD_SETTLED) > 0);
    set(HEAD_OPEN, sentence.head().of(CueGroup.HEAD_OPEN) > 0);
    set(SEVERAL, sentence.clauses().size() > 2);
    set(COLON, sentence.tokens().stream().anyMatch(token -> token.is(":")));
    int end = sentence.end();
    set(ANNOUNCES, text.startsWith(":", end - 1) || text.startsWith(":", end));
    set(EXCLAMATION, text.startsWith("!", end - 1) || text.startsWith("!", end));
  }

  private static boolean isOnly(List<TurnSentence> turn, int at) {
    for (int i = 0; i < turn.size(); i++) {
      TurnSentence other = turn.get(i);
      if (i != at && !isRequest(other) && other.words() > LENGTHS[0]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isRequest(TurnSentence sentence) {
    return sentence.asks() || sentence.has(Mood.ORDER);
  }

  private void set(int feature, boolean holds) {
    if (holds) {
      values[feature] = 1;
    }
  }
}
