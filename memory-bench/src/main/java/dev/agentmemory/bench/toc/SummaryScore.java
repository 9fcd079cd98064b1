package dev.agentmemory.bench.toc;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// How well the bullets of a session match the annotations of people. No model is used as a judge:
/// the turns behind bullets are compared with the turns behind annotated facts.
///
/// @param coverage share of the annotated turns that a bullet refers to
/// @param precision share of the bullets' turns that are annotated
/// @param f1 harmonic mean of the two
/// @param observed share of the annotated facts with at least one turn that a bullet refers to
/// @param gripped share of the session's turns that a bullet refers to
/// @param rouge1 share of the words of the people's summary that occur in the bullets
/// @param rougeL the same, counting only words in the same order
/// @param rouge1F1 harmonic mean of `rouge1` and its precision
record SummaryScore(
    double coverage,
    double precision,
    double f1,
    double observed,
    double gripped,
    double rouge1,
    double rougeL,
    double rouge1F1) {

  /// Words of a session's bullets that are compared with the summary.
  static final int WORDS = 125;

  private static final Pattern WORD = Pattern.compile("[a-z0-9]+");

  /// A bullet and the key of the one turn that it refers to.
  record Rested(String text, String turn) {}

  /// @param turns number of turns in the session
  /// @param bullets the bullets that count, the best first
  static SummaryScore of(Reference reference, int turns, List<Rested> bullets) {
    Set<String> evidence = reference.evidence();
    var got = new HashSet<String>();
    bullets.forEach(bullet -> got.add(bullet.turn()));
    long hits = got.stream().filter(evidence::contains).count();
    double coverage = share(hits, evidence.size());
    double precision = share(hits, got.size());
    long observed =
        reference.observations().stream()
            .filter(turnsOfOne -> turnsOfOne.stream().anyMatch(got::contains))
            .count();
    List<String> said =
        bullets.stream().flatMap(bullet -> words(bullet.text()).stream()).limit(WORDS).toList();
    List<String> summary = words(reference.summary());
    long shared = shared(said, summary);
    double rouge1 = share(shared, summary.size());
    return new SummaryScore(
        coverage,
        precision,
        harmonic(coverage, precision),
        share(observed, reference.observations().size()),
        share(got.size(), turns),
        rouge1,
        share(inOrder(said, summary), summary.size()),
        harmonic(rouge1, share(shared, said.size())));
  }

  /// The mean of each figure over sessions.
  static SummaryScore mean(Collection<SummaryScore> scores) {
    return new SummaryScore(
        mean(scores, SummaryScore::coverage),
        mean(scores, SummaryScore::precision),
        mean(scores, SummaryScore::f1),
        mean(scores, SummaryScore::observed),
        mean(scores, SummaryScore::gripped),
        mean(scores, SummaryScore::rouge1),
        mean(scores, SummaryScore::rougeL),
        mean(scores, SummaryScore::rouge1F1));
  }

  private static double mean(
      Collection<SummaryScore> scores, ToDoubleFunction<SummaryScore> figure) {
    return scores.stream().mapToDouble(figure).average().orElse(0);
  }

  /// Zero for an empty total.
  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  private static double harmonic(double one, double other) {
    return one + other == 0 ? 0 : 2 * one * other / (one + other);
  }

  private static List<String> words(String text) {
    String plain = text.toLowerCase(Locale.ROOT).replace("'s", " ").replace("'", "");
    return WORD.matcher(plain).results().map(MatchResult::group).toList();
  }

  private static long shared(List<String> some, List<String> others) {
    Map<String, Integer> left = new HashMap<>();
    others.forEach(word -> left.merge(word, 1, Integer::sum));
    return some.stream().filter(word -> left.merge(word, -1, Integer::sum) >= 0).count();
  }

  /// Length of the longest common subsequence of words.
  private static int inOrder(List<String> some, List<String> others) {
    int[] before = new int[others.size() + 1];
    for (String word : some) {
      int[] now = new int[others.size() + 1];
      for (int i = 0; i < others.size(); i++) {
        now[i + 1] = word.equals(others.get(i)) ? before[i] + 1 : Math.max(before[i + 1], now[i]);
      }
      before = now;
    }
    return before[others.size()];
  }
}
