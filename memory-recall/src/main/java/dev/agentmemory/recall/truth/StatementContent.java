package dev.agentmemory.recall.truth;

import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.recall.internal.grammar.Clauses;
import dev.agentmemory.recall.internal.grammar.CueMatcher;
import dev.agentmemory.recall.internal.grammar.QuotedSpans;
import dev.agentmemory.recall.internal.grammar.TokenReader;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordStems;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Lexicon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a statement is about: its content words, the cases and kinds of values that it names, and
/// how it is worded.
///
/// @param words in their order
/// @param stems of the words, by what related ones have in common
/// @param reversals the number of wordings that tell of a change
/// @param isAddition whether it is worded as an addition
/// @param isException whether it is worded as an exception
record StatementContent(
    List<WordToken> tokens,
    List<ClauseShape> clauses,
    List<ContentWord> words,
    Map<String, List<String>> stems,
    int reversals,
    boolean isAddition,
    boolean isException) {

  private static final Lexicon WORDS = Lexicon.beside(StatementContent.class, "truth-words.txt");
  private static final Set<String> LIGHT = WORDS.words("light");
  private static final Set<String> ATTRIBUTES = WORDS.words("attribute");
  private static final Map<String, String> CASES = WORDS.keys("case");
  private static final Map<String, String> VALUES = WORDS.keys("value");

  private static final CueMatcher CUES =
      new CueMatcher(
          Lexicon.beside(StatementContent.class, "truth-cues.txt"),
          List.of("reversal", "addition", "exception"));

  private static final Set<String> NEGATIONS =
      Set.of("no", "without", "never", "nobody", "nothing");

  private static final long FUNCTION =
      WordClass.I.bit()
          | WordClass.WE.bit()
          | WordClass.YOU.bit()
          | WordClass.THEY.bit()
          | WordClass.IT.bit()
          | WordClass.DETERMINER.bit()
          | WordClass.POSSESSIVE.bit()
          | WordClass.BE.bit()
          | WordClass.HAVE.bit()
          | WordClass.DO.bit()
          | WordClass.WILL.bit()
          | WordClass.MODAL.bit()
          | WordClass.NOT.bit()
          | WordClass.QUESTION.bit()
          | WordClass.CONJUNCTION.bit()
          | WordClass.SUBORDINATE.bit()
          | WordClass.PREPOSITION.bit()
          | WordClass.ADVERB.bit()
          | WordClass.OPENER.bit()
          | WordClass.MARK.bit();

  static StatementContent of(String text) {
    List<WordToken> tokens =
        TokenReader.read(text, 0, text.length(), QuotedSpans.of(text, 0, text.length()));
    List<ClauseShape> clauses = Clauses.of(tokens);
    int[] cues = CUES.count(tokens, Clauses.starts(tokens, clauses));
    List<ContentWord> words = words(tokens, clauses);
    return new StatementContent(
        tokens, clauses, words, stems(words), cues[0], cues[1] > 0, cues[2] > 0);
  }

  private static Map<String, List<String>> stems(List<ContentWord> words) {
    Map<String, List<String>> stems = new HashMap<>();
    for (ContentWord word : words) {
      stems
          .computeIfAbsent(WordStems.beginning(word.stem()), _ -> new ArrayList<>(1))
          .add(word.stem());
    }
    return stems;
  }

  private static List<ContentWord> words(List<WordToken> tokens, List<ClauseShape> clauses) {
    var words = new ArrayList<ContentWord>();
    int clause = 0;
    for (int i = 0; i < tokens.size(); i++) {
      while (clause + 1 < clauses.size() && clauses.get(clause).end() <= i) {
        clause++;
      }
      WordToken token = tokens.get(i);
      String stem = WordStems.of(token.key());
      if (!token.isAny(FUNCTION) && !LIGHT.contains(stem)) {
        boolean subject =
            clause < clauses.size()
                && i < clauses.get(clause).verbAt()
                && clauses.get(clause).verbAt() < clauses.get(clause).end();
        words.add(new ContentWord(stem, i, subject, token));
      }
    }
    return words;
  }

  boolean isReversal() {
    return reversals > 0;
  }

  boolean isNegated() {
    return clauses.stream().anyMatch(clause -> clause.traits().negated())
        || tokens.stream().anyMatch(token -> NEGATIONS.contains(token.key()));
  }

  boolean has(WordClass kind) {
    return tokens.stream().anyMatch(token -> token.is(kind));
  }

  /// Whether another statement has this word in some form.
  boolean has(ContentWord word) {
    for (String own : stems.getOrDefault(WordStems.beginning(word.stem()), List.of())) {
      if (WordStems.areRelated(own, word.stem())) {
        return true;
      }
    }
    return false;
  }

  /// The words that another statement does not have.
  List<ContentWord> without(StatementContent other) {
    return words.stream().filter(word -> !other.has(word)).toList();
  }

  /// The verbs that name an attribute.
  Set<String> attributes() {
    var attributes = new HashSet<String>();
    for (WordToken token : tokens) {
      String stem = WordStems.of(token.key());
      if (token.is(WordClass.ANY) && ATTRIBUTES.contains(stem)) {
        attributes.add(stem);
      }
    }
    return attributes;
  }

  static String kindOfCase(ContentWord word) {
    return CASES.getOrDefault(word.token().key(), "");
  }

  static String kindOfValue(ContentWord word) {
    return VALUES.getOrDefault(word.token().key(), "");
  }
}
