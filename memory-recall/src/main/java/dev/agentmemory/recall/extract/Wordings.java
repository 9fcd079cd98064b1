package dev.agentmemory.recall.extract;

import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordToken;
import dev.agentmemory.text.Lexicon;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The words of a sentence and of its neighbours, and the order of its function words. They are
/// features that no list names: those that the labelled turns repeat have a weight.
///
/// A sequence has two or three symbols. A symbol is a function word, a class of words such as
/// `number`, the form of a verb, or `x` for another word. So it stands for the build of a sentence
/// whatever its subject is.
final class Wordings {

  private static final Set<String> FUNCTION_WORDS =
      Lexicon.beside(FeatureNames.class, "function-words.txt").words("word");
  private static final String MARKS = ",.:;";

  /// The first that fits counts.
  private static final List<WordClass> CLASSES =
      List.of(
          WordClass.NUMBER,
          WordClass.CODE,
          WordClass.QUOTE,
          WordClass.NAME,
          WordClass.PERSON,
          WordClass.PROBLEM,
          WordClass.REASON,
          WordClass.MOOD,
          WordClass.EXPERT,
          WordClass.BASE,
          WordClass.THIRD,
          WordClass.GERUND,
          WordClass.PAST);

  private Wordings() {}

  /// @param sentence a sentence of the turn, or a part of it
  /// @param turn the sentences of the turn
  /// @param at the index of the sentence in the turn
  static Set<String> of(TurnSentence sentence, List<TurnSentence> turn, int at) {
    var names = new TreeSet<String>();
    addWords(names, "word ", sentence);
    if (at > 0) {
      addNeighbour(names, "before ", turn.get(at - 1));
    }
    if (at + 1 < turn.size()) {
      addNeighbour(names, "behind ", turn.get(at + 1));
    }
    List<String> symbols = symbols(sentence);
    for (int i = 1; i < symbols.size(); i++) {
      String pair = symbols.get(i - 1) + " " + symbols.get(i);
      names.add("pair " + pair);
      if (i > 1) {
        names.add("triple " + symbols.get(i - 2) + " " + pair);
      }
    }
    return names;
  }

  private static void addNeighbour(Set<String> names, String prefix, TurnSentence neighbour) {
    addWords(names, prefix, neighbour);
    if (neighbour.asks()) {
      names.add(prefix + "?");
    }
    for (CueGroup group : CueGroup.values()) {
      if (neighbour.count(group) > 0) {
        names.add(prefix + "cue " + group.section());
      }
    }
    neighbour.clauses().forEach(clause -> names.add(prefix + "mood " + clause.mood().index()));
  }

  private static void addWords(Set<String> names, String prefix, TurnSentence sentence) {
    for (WordToken token : sentence.tokens()) {
      if (isPlain(token)) {
        names.add(prefix + token.key());
      }
    }
  }

  private static boolean isPlain(WordToken token) {
    return !token.is(WordClass.CODE)
        && !token.is(WordClass.QUOTE)
        && token.key().chars().allMatch(Wordings::isOfWord);
  }

  private static boolean isOfWord(int unit) {
    return Character.isLetter(unit) || unit == '\'' || unit == '-' || MARKS.indexOf(unit) >= 0;
  }

  private static List<String> symbols(TurnSentence sentence) {
    var symbols = new ArrayList<String>();
    symbols.add("^");
    sentence.tokens().forEach(token -> symbols.add(symbol(token)));
    symbols.add("$");
    return symbols;
  }

  private static String symbol(WordToken token) {
    if (FUNCTION_WORDS.contains(token.key()) || MARKS.contains(token.key())) {
      return token.key();
    }
    for (WordClass one : CLASSES) {
      if (token.is(one)) {
        return "<" + one.symbol() + ">";
      }
    }
    return "x";
  }
}
