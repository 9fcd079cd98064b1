package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.internal.grammar.ClauseShape;
import dev.agentmemory.text.RecalledText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Extracts decisions, preferences and findings from a turn, by rules and without a model's help.
///
/// Idea: a sentence is described by features of its grammar (subject, tense, kind of verb, order or
/// question) and by wordings that hint at what it is for (`cues.txt`). Weights (`weights.txt`),
/// which were fitted to labelled samples, turn the features into probabilities. So a sentence can
/// be a decision without any word such as "decided".
///
/// Limits: the rules know English only. Nothing is extracted from what a tool or the agent program
/// wrote, from questions, quotes, code, tables and output. The time is linear in the length of the
/// text, of which the first 32,768 UTF-16 units are read. The result is a function of its
/// arguments.
public final class StatementExtractor {

  /// What both parts of a sentence have to reach before it is split.
  private static final double CERTAIN = 0.75;

  /// A fragment of fewer words is not understood without its neighbours.
  private static final int LEAST_WORDS = 3;

  /// Wordings that state a decision whatever else a sentence has, unless it asks or imagines.
  private static final Pattern SETTLED =
      Pattern.compile(
          "^(?:(?:ok|okay|alright|yes|then|so)[, ]+)*"
              + "(?:let['\u2019]?s|let us) (?:use|go with|stick with|switch to|adopt)\\b"
              + "|^we (?:have )?(?:decided|agreed) (?:to|on|that)\\b",
          Pattern.CASE_INSENSITIVE);

  /// What such a sentence says is not so, whatever else it has.
  private static final Pattern IMAGINED =
      Pattern.compile("^(?:suppose|supposing|imagine|pretend)\\b", Pattern.CASE_INSENSITIVE);

  private static final KindModel MODEL = KindModel.shipped();

  private StatementExtractor() {}

  /// The statements of a turn, in their order.
  ///
  /// @param text what the speaker said. Recalled text in it is cut out first and yields nothing; a
  ///   statement that has such text in its middle is left out
  public static List<ExtractedStatement> extract(TurnSpeaker speaker, String text) {
    return extract(speaker, text, MODEL);
  }

  static List<ExtractedStatement> extract(TurnSpeaker speaker, String text, KindModel model) {
    if (!RecalledText.contains(text)) {
      return said(speaker, text, model);
    }
    return said(speaker, RecalledText.strip(text), model).stream()
        .flatMap(statement -> placed(statement, text).stream())
        .toList();
  }

  /// A statement with its place in the text that still has the recalled text.
  private static Optional<ExtractedStatement> placed(ExtractedStatement statement, String text) {
    int start = text.indexOf(statement.text());
    return start < 0 ? Optional.empty() : Optional.of(statement.at(start));
  }

  private static List<ExtractedStatement> said(TurnSpeaker speaker, String text, KindModel model) {
    return switch (speaker) {
      case TOOL, PROGRAM -> List.of();
      case PERSON, ASSISTANT ->
          accepted(candidates(speaker, text, model), model).stream()
              .sorted(Comparator.comparingInt(candidate -> candidate.sentence().start()))
              .map(candidate -> StatementWriter.write(candidate, text))
              .toList();
    };
  }

  private static List<Candidate> candidates(TurnSpeaker speaker, String text, KindModel model) {
    List<TurnSentence> turn = TurnReader.read(speaker, text);
    var candidates = new ArrayList<Candidate>();
    for (int i = 0; i < turn.size(); i++) {
      if (isCandidate(turn.get(i), text)) {
        Judge judge = new Judge(speaker, text, turn, i, model);
        Candidate whole = judge.judge(turn.get(i));
        candidates.addAll(judge.split(whole));
      }
    }
    return candidates;
  }

  /// Whether a sentence states something or asks for something lasting. What ends in a colon
  /// announces what follows and says nothing by itself.
  static boolean isCandidate(TurnSentence sentence, String text) {
    boolean announces =
        text.startsWith(":", sentence.end()) || text.startsWith(":", sentence.end() - 1);
    return !announces
        && !IMAGINED.matcher(text).region(sentence.start(), sentence.end()).lookingAt()
        && (!sentence.asks() || sentence.count(CueGroup.ASKED_ORDER) > 0)
        && (!sentence.isFragment() || sentence.words() >= LEAST_WORDS);
  }

  /// Statements that are likely. Only if there is none, one that is less so: speakers who hint at a
  /// decision explain it in further sentences, which look alike.
  private static List<Candidate> accepted(List<Candidate> candidates, KindModel model) {
    List<Candidate> strong = candidates.stream().filter(model::isStrong).toList();
    if (!strong.isEmpty()) {
      return strong;
    }
    return candidates.stream().max(Comparator.comparingDouble(model::margin)).stream()
        .filter(model::isWeak)
        .toList();
  }

  /// Judges the parts of one sentence.
  private record Judge(
      TurnSpeaker speaker, String text, List<TurnSentence> turn, int at, KindModel model) {

    Candidate judge(TurnSentence sentence) {
      double[] all =
          model.probabilities(
              SentenceFeatures.of(sentence, turn, at, speaker, text),
              Wordings.of(sentence, turn, at));
      int best = 0;
      for (int kind = 1; kind < all.length; kind++) {
        best = all[kind] > all[best] ? kind : best;
      }
      boolean settled =
          !sentence.asks() && SETTLED.matcher(text.substring(sentence.start())).find();
      return settled
          ? new Candidate(sentence, MemoryKind.DECISION, /* probability= */ 1)
          : new Candidate(sentence, KindModel.KINDS.get(best), all[best]);
    }

    /// Two statements of different kinds where the sentence has them, such as a finding and the
    /// decision that follows from it; else the sentence.
    List<Candidate> split(Candidate whole) {
      List<ClauseShape> clauses = whole.sentence().clauses();
      int tokens = whole.sentence().tokens().size();
      for (int i = 1; i < clauses.size(); i++) {
        int border = clauses.get(i - 1).end();
        if (concludes(whole.sentence(), border)) {
          Candidate left = judge(whole.sentence().part(0, border));
          Candidate right = judge(whole.sentence().part(border, tokens));
          boolean likely = left.probability() >= CERTAIN && right.probability() >= CERTAIN;
          if (likely && left.kind() != right.kind()) {
            return List.of(left, right);
          }
        }
      }
      return List.of(whole);
    }

    /// Whether a conclusion or another statement begins at a border of clauses: behind a semicolon,
    /// or with `so` or `and`.
    private static boolean concludes(TurnSentence sentence, int border) {
      String key = sentence.tokens().get(border).key();
      boolean comma = key.equals(",") && border + 1 < sentence.tokens().size();
      String opener = comma ? sentence.tokens().get(border + 1).key() : key;
      return opener.equals(";") || opener.equals("so") || opener.equals("and");
    }
  }
}
