package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.toc.summary.extractive.Sentence.Purpose;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Chooses statements that together name what a passage is about: each time the one that adds the
/// most weight of terms that no chosen one has, for its length. How a statement is put decides
/// between those that add the same.
final class Coverage {

  /// Words that reading one more line costs beside its own.
  private static final int WORDS_OF_A_LINE = 6;

  private static final double SHARE_OF_SCORE = 0.15;

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final TermWeights weights;

  Coverage(TermWeights weights) {
    this.weights = weights;
  }

  /// Where a candidate comes from.
  enum Origin {
    SAID,
    ASKED,
    COMMIT
  }

  /// A statement that may be chosen.
  ///
  /// @param text the line to read
  /// @param score how it is put, by [Scoring]
  record Candidate(Statement statement, Origin origin, String text, double score) {

    boolean isAsked() {
      return origin == Origin.ASKED;
    }

    /// Whether it asks for work; a question asks for an answer.
    boolean isTask() {
      return isAsked() && statement.purpose() != Purpose.QUESTION && !text.endsWith("?");
    }

    boolean isCommit() {
      return origin == Origin.COMMIT;
    }
  }

  /// A chosen statement.
  ///
  /// @param worth how much it added when it was chosen, for its length
  record Choice(Candidate candidate, double worth) {

    /// The worth between 0 and 1 in steps of a thousandth.
    double salience() {
      return Math.round(1000 * Math.max(0, 1 - StrictMath.exp(-worth))) / 1000.0;
    }
  }

  private record Open(Candidate candidate, Map<String, Double> terms, int words) {

    double gain(Set<String> told) {
      double gain = 0;
      for (Map.Entry<String, Double> term : terms.entrySet()) {
        gain += told.contains(term.getKey()) ? 0 : term.getValue();
      }
      return gain;
    }

    double worth(Set<String> told) {
      return gain(told) / (words + WORDS_OF_A_LINE) + SHARE_OF_SCORE * candidate.score();
    }
  }

  /// @return at most `limit`, in the order of choice
  List<Choice> choose(List<Candidate> candidates, int limit) {
    List<Open> left = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    for (Candidate candidate : candidates) {
      if (texts.add(candidate.text())) {
        left.add(open(candidate));
      }
    }
    List<Choice> chosen = new ArrayList<>();
    Set<String> told = new HashSet<>();
    while (chosen.size() < limit && !left.isEmpty()) {
      int best = 0;
      double most = left.getFirst().worth(told);
      for (int i = 1; i < left.size(); i++) {
        double worth = left.get(i).worth(told);
        if (worth > most) {
          most = worth;
          best = i;
        }
      }
      Open choice = left.remove(best);
      chosen.add(new Choice(choice.candidate(), most));
      told.addAll(choice.terms().keySet());
    }
    return chosen;
  }

  /// What a candidate adds to those that were chosen; never more than the last of them.
  Choice beside(Candidate candidate, List<Choice> chosen) {
    Set<String> told = new HashSet<>();
    chosen.forEach(choice -> told.addAll(open(choice.candidate()).terms().keySet()));
    double worth = open(candidate).worth(told);
    return new Choice(
        candidate, chosen.isEmpty() ? worth : Math.min(worth, chosen.getLast().worth()));
  }

  private Open open(Candidate candidate) {
    Map<String, Double> terms = new LinkedHashMap<>();
    candidate.statement().terms().stream()
        .filter(TermWeights::counts)
        .forEach(term -> terms.computeIfAbsent(TermWeights.key(term), weights::of));
    int words = (int) SPACES.splitAsStream(candidate.statement().raw()).count();
    return new Open(candidate, terms, words);
  }
}
