package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.index.EventDocuments;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Puts candidates in order: every feature that has no scale of its own is measured in standard
/// deviations from its mean among the candidates, and the sum of all by weight is the score. That
/// beats reciprocal ranks, which forget by how much one hit is better than the next.
public final class Ranking {

  /// The constant of reciprocal rank fusion.
  public static final int RRF = 60;

  private static final Comparator<CandidateTurn> BEST_FIRST =
      Comparator.comparingDouble((CandidateTurn turn) -> -turn.score)
          .thenComparing(turn -> turn.time, Comparator.reverseOrder())
          .thenComparing(turn -> turn.uid);

  private Ranking() {}

  /// Scores the candidates and sorts them, the best first; of equal ones the newest.
  public static void rank(List<CandidateTurn> candidates) {
    candidates.forEach(turn -> turn.score = 0);
    for (Feature feature : Feature.values()) {
      double[] values = values(candidates, feature);
      for (int i = 0; i < values.length; i++) {
        CandidateTurn turn = candidates.get(i);
        double part = feature.weight() * values[i];
        turn.setPart(feature, part);
        turn.score += part;
      }
    }
    candidates.sort(BEST_FIRST);
  }

  /// The same by reciprocal ranks of the two legs. Neighbours, which neither found, have none and
  /// go.
  public static void fuseRanks(List<CandidateTurn> candidates) {
    candidates.removeIf(turn -> !turn.isHit());
    for (CandidateTurn turn : candidates) {
      turn.setPart(Feature.TURN, reciprocal(turn.lexicalRank));
      turn.setPart(Feature.MEANING, reciprocal(turn.semanticRank));
      turn.score = reciprocal(turn.lexicalRank) + reciprocal(turn.semanticRank);
    }
    candidates.sort(BEST_FIRST);
  }

  private static double reciprocal(int rank) {
    return rank == 0 ? 0 : 1.0 / (RRF + rank);
  }

  /// Parts of a score by name.
  public static Map<String, Double> explained(CandidateTurn turn) {
    Map<String, Double> parts = new LinkedHashMap<>();
    for (Feature feature : Feature.values()) {
      double part = turn.part(feature);
      if (part != 0) {
        parts.put(EventDocuments.lower(feature.name()), part);
      }
    }
    return parts;
  }

  private static double[] values(List<CandidateTurn> candidates, Feature feature) {
    double[] values = candidates.stream().mapToDouble(turn -> turn.get(feature)).toArray();
    return feature.hasScale() ? values : standardised(values);
  }

  /// What is not known counts as the least that is.
  private static double[] standardised(double[] values) {
    double[] known = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    double mean = Arrays.stream(known).average().orElse(0);
    double variance = Arrays.stream(known).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    double deviation = Math.sqrt(variance);
    double least = Arrays.stream(known).min().orElse(0);
    double[] result = new double[values.length];
    if (deviation > 1e-9) {
      for (int i = 0; i < values.length; i++) {
        result[i] = ((Double.isNaN(values[i]) ? least : values[i]) - mean) / deviation;
      }
    }
    return result;
  }
}
