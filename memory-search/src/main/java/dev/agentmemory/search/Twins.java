package dev.agentmemory.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.VectorUtil;

/// Leaves out hits that say what a better one says already.
final class Twins {

  /// Vectors nearer than this are of the same statement. Short turns of one conversation reach 0.9
  /// without saying the same: there, two hits in a hundred that somebody needs would be left out.
  static final double SAME = 0.95;

  /// Hits that are compared, the best ones: beyond them nobody notices.
  private static final int COMPARED = 50;

  private Twins() {}

  /// @param ranked the best first
  static List<Turn> without(IndexSearcher searcher, Question question, List<Turn> ranked)
      throws IOException {
    List<Turn> compared = ranked.subList(0, Math.min(COMPARED, ranked.size()));
    Map<Turn, float[]> vectors = new HashMap<>();
    if (question.vector().isPresent()) {
      vectors.putAll(Vectors.of(searcher, question.vector().get().field(), compared));
    }
    List<Turn> kept = new ArrayList<>();
    for (Turn turn : compared) {
      if (kept.stream().noneMatch(other -> same(turn, other, vectors))) {
        kept.add(turn);
      }
    }
    kept.addAll(ranked.subList(compared.size(), ranked.size()));
    return kept;
  }

  private static boolean same(Turn one, Turn other, Map<Turn, float[]> vectors) {
    float[] first = vectors.get(one);
    float[] second = vectors.get(other);
    if (first == null || second == null) {
      return one.text != 0 && one.text == other.text;
    }
    return VectorUtil.dotProduct(first, second) > SAME;
  }
}
