package dev.agentmemory.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.VectorUtil;
import org.jspecify.annotations.Nullable;

/// Leaves out hits that say what a better one says already.
final class Twins {

  /// Vectors nearer than this are of the same statement. Short turns of one conversation reach 0.9
  /// without saying the same: there, two hits in a hundred that somebody needs would be left out.
  static final double SAME = 0.95;

  /// Hits whose vectors are compared, the best ones: beyond them nobody notices.
  private static final int COMPARED = 50;

  private Twins() {}

  /// @param ranked the best first
  static List<Turn> without(IndexSearcher searcher, Question question, List<Turn> ranked)
      throws IOException {
    Set<Long> texts = new HashSet<>();
    List<Turn> different =
        ranked.stream().filter(turn -> turn.text == 0 || texts.add(turn.text)).toList();
    if (question.vector().isEmpty()) {
      return different;
    }
    List<Turn> compared = different.subList(0, Math.min(COMPARED, different.size()));
    Map<Turn, float[]> vectors = Vectors.of(searcher, question.vector().get().field(), compared);
    List<Turn> kept = new ArrayList<>();
    for (Turn turn : compared) {
      if (kept.stream().noneMatch(other -> same(vectors.get(turn), vectors.get(other)))) {
        kept.add(turn);
      }
    }
    kept.addAll(different.subList(compared.size(), different.size()));
    return kept;
  }

  private static boolean same(float @Nullable [] one, float @Nullable [] other) {
    return one != null && other != null && VectorUtil.dotProduct(one, other) > SAME;
  }
}
