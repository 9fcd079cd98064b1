package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.Term;
import java.util.List;
import java.util.Map;

/// How much a statement is worth telling, from what it looks like and where it stands. The weights
/// of length, persons, place and names were fitted to which turns people rest summaries on; the
/// rest says what matters in work: decisions, causes, fixes and results before everything else.
///
/// @param settings of all turns of the passage
/// @param turnsWith in how many turns a key occurs
record Scoring(
    List<DialogueContext> settings, Map<String, Integer> turnsWith, Reactions reactions) {

  private static final double FULL_LENGTH = 26;
  private static final double RARE = 2.5;
  private static final double TAKEN_UP = 0.2;
  private static final double OWN_STORY = 0.25;
  private static final double VAGUE = -0.3;
  private static final double HALF_A_SENTENCE = -1.2;

  double score(Statement statement) {
    SpokenTurn turn = statement.turn();
    DialogueContext setting = settings.get(turn.index());
    double score = length(statement) + words(statement) + rarity(statement) + purpose(statement);
    score += setting.answers() ? 0.6 : 0;
    score += TAKEN_UP * reactions.to(statement);
    if (turn.isAgent()) {
      score += setting.concludes() ? 0.8 : -0.2;
    } else {
      score += 0.4 * (1 - setting.position()) + (setting.position() == 0 ? 0.3 : 0);
    }
    return score - (statement.item() ? 0.2 : 0);
  }

  private static double length(Statement statement) {
    double content = Math.min(statement.content(), FULL_LENGTH);
    return 0.06 * content + 0.35 * StrictMath.log1p(content);
  }

  /// Who and when, numbers and names, and the words that decisions, causes and fixes come with.
  private static double words(Statement statement) {
    int self = 0;
    int other = 0;
    int names = 0;
    int numbers = 0;
    int technical = 0;
    var cues = new CueCount();
    for (Term term : statement.terms()) {
      String cue = Cues.section(term);
      self += cue.equals("self") ? 1 : 0;
      other += cue.equals("other") ? 1 : 0;
      numbers += term.kind() == Term.Kind.NUMBER ? 1 : 0;
      technical += term.isTechnical() ? 1 : 0;
      names += term.kind() == Term.Kind.WORD && statement.isProper(term) ? 1 : 0;
      if (!term.part()) {
        cues.add(cue);
      }
    }
    double person =
        (self > 0 ? 0.5 : 0)
            + 0.2 * Math.min(self, 3)
            - 0.15 * Math.min(other, 3)
            + (startsWithSelf(statement) ? OWN_STORY : 0);
    double facts =
        0.15 * Math.min(names, 3) + 0.12 * Math.min(numbers, 2) + 0.15 * Math.min(technical, 3);
    boolean agent = statement.turn().isAgent();
    return (agent ? 0.3 * person : person)
        + facts
        + cues.score(statement.turn().speaker().isEmpty());
  }

  /// `I started …`, `My brother …`: somebody tells of themselves.
  private static boolean startsWithSelf(Statement statement) {
    return !statement.terms().isEmpty()
        && Cues.section(statement.terms().getFirst()).equals("self");
  }

  /// Words that few turns share tell more than those that go through the whole passage.
  private double rarity(Statement statement) {
    double sum = 0;
    for (String key : statement.keys()) {
      sum += StrictMath.log((double) settings.size() / turnsWith.getOrDefault(key, 1));
    }
    return statement.keys().isEmpty()
        ? 0
        : 0.012 * Math.min(sum, 40) + Math.min(sum / statement.keys().size(), RARE) * 0.1;
  }

  private static double purpose(Statement statement) {
    return switch (statement.purpose()) {
      case STATEMENT -> opening(statement) + (told(statement.turn()) ? 0.3 : 0);
      case REQUEST -> statement.turn().speaker().isEmpty() ? 0.5 : -0.3;
      case QUESTION -> -1.2;
      case LABEL, CHATTER -> -3;
    };
  }

  /// Whether a user says it to an agent, which then has to follow it.
  private static boolean told(SpokenTurn turn) {
    return turn.kind() == SpeakerKind.PERSON && turn.speaker().isEmpty();
  }

  /// What it costs that a reader would have to know what came before: a little for `It works` and
  /// `That is why ...`, more for `That he needs ...`, which is no sentence without its question.
  private static double opening(Statement statement) {
    List<Term> terms = statement.terms();
    if (terms.isEmpty()) {
      return VAGUE;
    }
    return switch (terms.getFirst().key()) {
      case "that" -> terms.size() > 1 && isPronoun(terms.get(1)) ? HALF_A_SENTENCE : VAGUE;
      case "it", "it's", "that's", "they", "this", "these", "those", "which" -> VAGUE;
      default -> 0;
    };
  }

  private static boolean isPronoun(Term term) {
    return switch (term.key()) {
      case "i", "you", "he", "she", "it", "we", "they" -> true;
      default -> false;
    };
  }

  /// A score between 0 and 1 in steps of a thousandth. `StrictMath` throughout, since a rebuild on
  /// another machine must give the same numbers.
  static double salience(double score) {
    return Math.round(1000 / (1 + StrictMath.exp(1.1 * (2.6 - score)))) / 1000.0;
  }

  /// Which cues a statement has; one of a kind is enough.
  private static final class CueCount {
    boolean decision;
    boolean cause;
    boolean fix;
    boolean result;
    boolean preference;
    boolean plan;
    boolean time;

    void add(String section) {
      switch (section) {
        case "decision" -> decision = true;
        case "cause" -> cause = true;
        case "fix" -> fix = true;
        case "result" -> result = true;
        case "preference" -> preference = true;
        case "plan" -> plan = true;
        case "time" -> time = true;
        default -> {}
      }
    }

    double score(boolean atWork) {
      double work =
          (decision ? 0.5 : 0) + (cause ? 0.45 : 0) + (fix ? 0.4 : 0) + (result ? 0.3 : 0);
      double life = (preference ? 0.2 : 0) + (plan ? 0.25 : 0) + (time ? 0.45 : 0);
      return atWork ? work + 0.4 * life : 0.4 * work + life;
    }
  }
}
