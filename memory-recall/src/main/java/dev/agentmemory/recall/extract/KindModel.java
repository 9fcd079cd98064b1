package dev.agentmemory.recall.extract;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.text.Lexicon;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Says how likely a sentence is a decision, a preference, a finding or none: a multinomial
/// logistic model of its features. The weights stand in `weights.txt`.
final class KindModel {

  /// The kinds in the order of the weights.
  static final List<MemoryKind> KINDS =
      List.of(MemoryKind.DECISION, MemoryKind.PREFERENCE, MemoryKind.FINDING);

  private final double[] strong;
  private final double slack;
  private final double[] bias;
  private final double[][] weights;
  private final Map<String, double[]> wordings;

  /// @param strong the probability from which a statement of each kind is extracted
  /// @param slack how much less suffices where a turn has no such statement
  /// @param weights of each kind, by the index of the feature
  /// @param wordings the weights of each of [Wordings], by the kind
  KindModel(
      double[] strong,
      double slack,
      double[] bias,
      double[][] weights,
      Map<String, double[]> wordings) {
    this.strong = strong.clone();
    this.slack = slack;
    this.bias = bias.clone();
    this.weights = weights;
    this.wordings = Map.copyOf(wordings);
  }

  /// The model that is shipped.
  static KindModel shipped() {
    Lexicon list = Lexicon.beside(KindModel.class, "weights.txt");
    var weights = new double[KINDS.size()][FeatureNames.size()];
    for (String line : list.phrases("weight")) {
      String[] parts = line.split(" ", KINDS.size() + 1);
      int feature = FeatureNames.index(parts[KINDS.size()]);
      for (int kind = 0; kind < KINDS.size(); kind++) {
        weights[kind][feature] = Double.parseDouble(parts[kind]);
      }
    }
    var wordings = new HashMap<String, double[]>();
    for (String line : list.phrases("wording")) {
      String[] parts = line.split(" ", KINDS.size() + 1);
      double[] row = new double[KINDS.size()];
      for (int kind = 0; kind < KINDS.size(); kind++) {
        row[kind] = Double.parseDouble(parts[kind]);
      }
      wordings.put(parts[KINDS.size()], row);
    }
    return new KindModel(
        numbers(list.phrases("threshold").getFirst()),
        Double.parseDouble(list.phrases("slack").getFirst()),
        numbers(list.phrases("bias").getFirst()),
        weights,
        wordings);
  }

  /// Whether a statement is extracted in any case.
  boolean isStrong(Candidate candidate) {
    return margin(candidate) >= 0;
  }

  /// Whether a statement is extracted where its turn has no strong one.
  boolean isWeak(Candidate candidate) {
    return margin(candidate) >= -slack;
  }

  /// By how much the probability of a statement exceeds what its kind needs.
  double margin(Candidate candidate) {
    return candidate.probability() - strong[KINDS.indexOf(candidate.kind())];
  }

  private static double[] numbers(String line) {
    return List.of(line.split(" ", -1)).stream().mapToDouble(Double::parseDouble).toArray();
  }

  double[] thresholds() {
    return strong.clone();
  }

  double slack() {
    return slack;
  }

  double[] bias() {
    return bias.clone();
  }

  /// The weights of a feature, by the kind.
  double[] weights(int feature) {
    return Arrays.stream(weights).mapToDouble(of -> of[feature]).toArray();
  }

  /// The weights of one of [Wordings], by the kind; 0 when it has none.
  double[] wording(String name) {
    return wordings.getOrDefault(name, new double[KINDS.size()]).clone();
  }

  /// The probability of each of [#KINDS]; what is missing to 1 is that of none.
  double[] probabilities(float[] features, Set<String> names) {
    var scores = new double[KINDS.size()];
    System.arraycopy(bias, 0, scores, 0, scores.length);
    for (int i = 0; i < features.length; i++) {
      if (features[i] != 0) {
        for (int kind = 0; kind < scores.length; kind++) {
          scores[kind] += features[i] * weights[kind][i];
        }
      }
    }
    for (String name : names) {
      double[] row = wordings.get(name);
      if (row != null) {
        for (int kind = 0; kind < scores.length; kind++) {
          scores[kind] += row[kind];
        }
      }
    }
    double most = 0;
    for (double score : scores) {
      most = Math.max(most, score);
    }
    double sum = Math.exp(-most);
    for (int kind = 0; kind < scores.length; kind++) {
      scores[kind] = Math.exp(scores[kind] - most);
      sum += scores[kind];
    }
    for (int kind = 0; kind < scores.length; kind++) {
      scores[kind] /= sum;
    }
    return scores;
  }
}
