package dev.agentmemory.search.internal.rank;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Brings the relevance of ranked hits in line with their order: where a hit is placed behind less
/// relevant ones, it and they share their mean. That is the non-increasing sequence nearest to what
/// was measured, by least squares; the algorithm is that of pooled adjacent violators (Barlow,
/// Bartholomew, Bremner and Brunk, "Statistical inference under order restrictions", 1972). So a
/// reader sees no hit above a more relevant one, and a threshold cuts the list at one place.
final class OrderedRelevance {

  private OrderedRelevance() {}

  /// Hits in a row that share their mean.
  private record Pool(double sum, int size) {

    double mean() {
      return sum / size;
    }

    Pool and(Pool other) {
      return new Pool(sum + other.sum, size + other.size);
    }
  }

  /// @param ranked the best first
  /// @return the same in the same order
  static List<Found> of(List<Found> ranked) {
    Deque<Pool> pools = new ArrayDeque<>();
    for (Found one : ranked) {
      var pool = new Pool(one.relevance(), 1);
      while (!pools.isEmpty() && pools.getLast().mean() < pool.mean()) {
        pool = pools.removeLast().and(pool);
      }
      pools.add(pool);
    }
    List<Found> ordered = new ArrayList<>(ranked.size());
    for (Pool pool : pools) {
      for (int i = 0; i < pool.size(); i++) {
        Found one = ranked.get(ordered.size());
        ordered.add(pool.size() == 1 ? one : one.withRelevance(pool.mean()));
      }
    }
    return ordered;
  }
}
