package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.internal.grammar.WordClass;
import dev.agentmemory.recall.internal.grammar.WordToken;
import java.util.List;

/// Turns a judged sentence into a statement: its exact text, its importance and its tags.
final class StatementWriter {

  private static final int LEAST_TOKENS = 3;
  private static final int LABEL = 5;
  private static final String EMPHASIS = "*_";
  private static final String ENDS = ".!";

  private static final double DECISION = 0.6;
  private static final double PREFERENCE = 0.6;
  private static final double FINDING = 0.5;
  private static final double STEP = 0.1;
  private static final double MOST = 0.95;

  private StatementWriter() {}

  static ExtractedStatement write(Candidate candidate, String text) {
    List<WordToken> tokens = candidate.sentence().tokens();
    int first = first(tokens, text);
    int start = tokens.get(first).start();
    int end = tokens.getLast().end();
    while (start > 0 && EMPHASIS.indexOf(text.charAt(start - 1)) >= 0) {
      start--;
    }
    while (end < text.length() && EMPHASIS.indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    if (end < text.length() && ENDS.indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    return new ExtractedStatement(
        candidate.kind(),
        start,
        text.substring(start, end),
        importance(candidate),
        Topics.of(tokens));
  }

  /// The first token behind openers such as `ok,` and behind a label in bold.
  private static int first(List<WordToken> tokens, String text) {
    int first = 0;
    for (int i = 1; i < Math.min(tokens.size() - LEAST_TOKENS, LABEL); i++) {
      int end = tokens.get(i).end();
      boolean bold = end < text.length() && EMPHASIS.indexOf(text.charAt(end)) >= 0;
      first = tokens.get(i).is(":") && bold ? i + 1 : first;
    }
    while (first < tokens.size() - LEAST_TOKENS && isOpener(tokens.get(first))) {
      first++;
    }
    return first;
  }

  private static boolean isOpener(WordToken token) {
    return token.is(WordClass.MARK) || (token.is(WordClass.OPENER) && !token.is("please"));
  }

  /// What is said in plain words counts more than what is hinted at, a rule more than a wish, and a
  /// fact with a name or number more than one without.
  private static double importance(Candidate candidate) {
    TurnSentence sentence = candidate.sentence();
    boolean explicit =
        sentence.count(CueGroup.DECISION_EXPLICIT) > 0
            || sentence.count(CueGroup.FINDING_EXPLICIT) > 0
            || sentence.count(CueGroup.PREFERENCE_ORDER) > 0;
    boolean exact =
        sentence.has(WordClass.CODE)
            || sentence.has(WordClass.NUMBER)
            || sentence.has(WordClass.NAME);
    boolean rule = sentence.has(WordClass.LASTING);
    boolean hedged = sentence.count(CueGroup.HEDGE) > 0;
    double steps =
        (explicit ? 1 : 0)
            + (exact && candidate.kind() != MemoryKind.PREFERENCE ? 1 : 0)
            + (rule && candidate.kind() != MemoryKind.FINDING ? 1 : 0)
            + (sentence.has(WordClass.REASON) || sentence.has(WordClass.PROBLEM) ? 1 : 0)
            - (hedged ? 2 : 0);
    double sum = base(candidate.kind()) + steps * STEP;
    return Math.round(Math.clamp(sum, STEP, MOST) * 100) / 100.0;
  }

  private static double base(MemoryKind kind) {
    return switch (kind) {
      case DECISION -> DECISION;
      case PREFERENCE -> PREFERENCE;
      case FINDING, OBSERVATION, CONVERSATION -> FINDING;
    };
  }
}
