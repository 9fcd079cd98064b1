package dev.agentmemory.recall.truth;

import dev.agentmemory.text.Lexicon;
import java.util.Locale;

/// Says how likely a statement supersedes another: a logistic model of the features of the pair.
/// The weights stand in `truth-weights.txt`.
final class PairModel {

  /// The probability from which a statement counts as superseded.
  final double accepted;

  private final double bias;
  private final double[] weights;

  /// @param weights by the ordinal of the feature
  PairModel(double accepted, double bias, double[] weights) {
    this.accepted = accepted;
    this.bias = bias;
    this.weights = weights.clone();
  }

  /// The model that is shipped.
  static PairModel shipped() {
    Lexicon list = Lexicon.beside(PairModel.class, "truth-weights.txt");
    var weights = new double[PairFeature.values().length];
    for (String line : list.phrases("weight")) {
      int space = line.indexOf(' ');
      String name = line.substring(space + 1).replace(' ', '_').toUpperCase(Locale.ROOT);
      weights[PairFeature.valueOf(name).index()] = Double.parseDouble(line.substring(0, space));
    }
    return new PairModel(
        Double.parseDouble(list.phrases("threshold").getFirst()),
        Double.parseDouble(list.phrases("bias").getFirst()),
        weights);
  }

  double bias() {
    return bias;
  }

  double weight(PairFeature feature) {
    return weights[feature.index()];
  }

  double probability(double[] features) {
    double score = bias;
    for (int i = 0; i < features.length; i++) {
      score += weights[i] * features[i];
    }
    return 1 / (1 + Math.exp(-score));
  }
}
