package dev.agentmemory.toc.internal.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// How much statements matter: half as the events that they rest on do, half by the place that the
/// model gave them. The scale stays that of extractive summaries, so that a period weighs parts
/// with and without a model alike.
final class Rank {

  private Rank() {}

  /// @param own salience of the evidence of each, in the model's order
  /// @return the salience of each, in the same order
  static List<Double> blend(List<Double> own) {
    var descending = new ArrayList<>(own);
    descending.sort(Collections.reverseOrder());
    var blended = new ArrayList<Double>();
    for (int i = 0; i < own.size(); i++) {
      blended.add(Math.round(500 * (own.get(i) + descending.get(i))) / 1000.0);
    }
    return blended;
  }
}
