package dev.agentmemory.search.internal.rank;

/// How likely a turn answers a question, told from what means the same for every question: how near
/// it is in meaning and how much of the question's words stand around it. Weights come from a
/// logistic regression on turns that people marked as evidence against the best turns of
/// conversations that know nothing of the question, both sides counting alike; they are rounded.
/// There 0.3 leaves out nine of ten such turns and one of ten that are evidence.
public final class Relevance {

  private Relevance() {}

  /// @param cover what part of the weight of the query's words is around it, 0 to 1
  /// @return 0 to 1
  public static double of(CandidateTurn turn, double cover) {
    return of(turn.cosine, cover);
  }

  /// The same of any text.
  ///
  /// @param cosine with the query; NaN when it is unknown
  public static double of(double cosine, double cover) {
    double sum = Double.isNaN(cosine) ? -3.3 + 11 * cover : -10 + 14 * cosine + 6 * cover;
    return 1 / (1 + Math.exp(-sum));
  }

  /// The same of a turn that was looked for by meaning alone, fitted in the same way. Less is known
  /// then: 0.3 leaves out half of the turns that answer nothing and one of eight that are evidence.
  public static double ofMeaning(CandidateTurn turn) {
    return 1 / (1 + Math.exp(13.5 - 23 * turn.cosine));
  }

  /// The same of a text without a vector.
  ///
  /// @param cover what part of the weight of the query's words is in it, 0 to 1
  static double ofWords(double cover) {
    return of(Double.NaN, cover);
  }
}
