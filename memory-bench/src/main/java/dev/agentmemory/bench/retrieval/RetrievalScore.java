package dev.agentmemory.bench.retrieval;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/// How well a ranking of messages matches the evidence of a question.
///
/// | figure | meaning |
/// |---|---|
/// | `recall@k` | share of the evidence among the first k |
/// | `hit@k`, `all@k` | 1 when any, when all of the evidence is among the first k |
/// | `mrr` | 1 / rank of the first evidence; 0 when none is ranked |
/// | `ndcg@10` | discounted cumulative gain of the first 10, each evidence counting 1 |
/// | `sess@k` | share of the evidence's sessions among the first k distinct sessions |
///
/// @param figures by name, 0 to 1 each
record RetrievalScore(Map<String, Double> figures) {

  private static final List<Integer> DEPTHS = List.of(1, 5, 10, 20);
  private static final List<Integer> SESSION_DEPTHS = List.of(1, 3, 5, 10);
  private static final int GAIN_DEPTH = 10;

  /// @param evidence keys of messages, not empty
  /// @param ranked keys of messages, the best first; repeated keys are ignored
  /// @param session returns the session of a key
  static RetrievalScore of(
      Collection<String> evidence, List<String> ranked, UnaryOperator<String> session) {
    Set<String> wanted = new HashSet<>(evidence);
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("no evidence");
    }
    List<String> turns = List.copyOf(new LinkedHashSet<>(ranked));
    var figures = new LinkedHashMap<String, Double>();
    for (int depth : DEPTHS) {
      double found = among(wanted, turns, depth);
      figures.put("recall@" + depth, found / wanted.size());
      figures.put("hit@" + depth, found > 0 ? 1.0 : 0.0);
      figures.put("all@" + depth, found == wanted.size() ? 1.0 : 0.0);
    }
    figures.put("mrr", reciprocalRank(wanted, turns));
    figures.put("ndcg@" + GAIN_DEPTH, gain(wanted, turns) / gain(wanted, List.copyOf(wanted)));
    Set<String> wantedSessions = mapped(wanted, session);
    List<String> sessions = List.copyOf(mapped(turns, session));
    for (int depth : SESSION_DEPTHS) {
      figures.put("sess@" + depth, among(wantedSessions, sessions, depth) / wantedSessions.size());
    }
    return new RetrievalScore(figures);
  }

  private static double among(Set<String> wanted, List<String> ranked, int depth) {
    return ranked.stream().limit(depth).filter(wanted::contains).count();
  }

  private static double reciprocalRank(Set<String> wanted, List<String> ranked) {
    for (int i = 0; i < ranked.size(); i++) {
      if (wanted.contains(ranked.get(i))) {
        return 1.0 / (i + 1);
      }
    }
    return 0;
  }

  private static double gain(Set<String> wanted, List<String> ranked) {
    double gain = 0;
    for (int i = 0; i < Math.min(GAIN_DEPTH, ranked.size()); i++) {
      gain += wanted.contains(ranked.get(i)) ? Math.log(2) / Math.log(i + 2) : 0;
    }
    return gain;
  }

  private static Set<String> mapped(Collection<String> keys, UnaryOperator<String> session) {
    var mapped = new LinkedHashSet<String>();
    keys.forEach(key -> mapped.add(session.apply(key)));
    return mapped;
  }

  /// The mean of each figure over questions; empty when there are none.
  static RetrievalScore mean(List<RetrievalScore> scores) {
    var all = new LinkedHashMap<String, List<Double>>();
    scores.forEach(score ->
        score.figures.forEach(
            (name, value) -> all.computeIfAbsent(name, _ -> new ArrayList<>()).add(value)));
    var mean = new LinkedHashMap<String, Double>();
    all.forEach((name, values) ->
        mean.put(name, values.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
    return new RetrievalScore(mean);
  }

  /// @throws NullPointerException when there is no such figure
  double figure(String name) {
    return Objects.requireNonNull(figures.get(name), name);
  }
}
