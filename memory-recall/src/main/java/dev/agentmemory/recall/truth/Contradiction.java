package dev.agentmemory.recall.truth;

import java.util.OptionalDouble;

/// Tells whether a newer statement replaces an older one of the same scope.
///
/// Idea: it does when both are about the same subject and the newer one gives another value, or
/// says in words that something changed. What speaks against it: another person, place, version,
/// platform or weekday in the subject, an addition, an exception for a short time, a refinement,
/// and another attribute of the same subject. Weights (`truth-weights.txt`), which were fitted to
/// labelled pairs, combine these features.
///
/// Limits: the rules know English only, and no facts about the world: that a hospice is no
/// hospital, for example. The result is a function of its arguments.
public final class Contradiction {

  /// Statements whose vectors are farther from each other are about different things.
  private static final double LEAST_COSINE = 0.3;

  private static final PairModel MODEL = PairModel.shipped();

  private Contradiction() {}

  /// @param cosine of the vectors of the two statements; empty where a vector is missing
  public static StatementRelation between(
      StatedText older, StatedText newer, OptionalDouble cosine) {
    return between(older, newer, cosine, MODEL);
  }

  static StatementRelation between(
      StatedText older, StatedText newer, OptionalDouble cosine, PairModel model) {
    if (older.identity().equals(newer.identity())) {
      return StatementRelation.SAME;
    }
    if (cosine.isPresent() && cosine.getAsDouble() < LEAST_COSINE) {
      return StatementRelation.COEXISTS;
    }
    double[] features = PairFeatures.of(older, newer);
    if (model.probability(features) >= model.accepted) {
      return StatementRelation.SUPERSEDES;
    }
    boolean same =
        features[PairFeature.SAME_WORDS.index()] == 1
            && features[PairFeature.NEGATION_CHANGED.index()] == 0;
    return same ? StatementRelation.SAME : StatementRelation.COEXISTS;
  }
}
