package dev.agentmemory.recall.internal.rank;

import dev.agentmemory.types.MemoryId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Combines the ranks of memories in several lists to a match: the reciprocal rank fusion of
/// Cormack, Clarke and Buettcher (SIGIR 2009), the sum of 1 / (k + rank), divided by what the first
/// of every list that can hold the memory would have.
///
/// The lists that can hold a memory: one that has no vector yet can be in the list of words only.
/// If it were measured against both lists, a new memory would match half as well until it is
/// embedded.
public final class RankFusion {

  private final int k;
  private final Map<MemoryId, Double> scores = new HashMap<>();

  /// @param k of reciprocal rank fusion
  public RankFusion(int k) {
    this.k = k;
  }

  /// @param ranked the best first
  public void add(List<MemoryId> ranked) {
    for (int i = 0; i < ranked.size(); i++) {
      scores.merge(ranked.get(i), 1.0 / (k + i + 1), Double::sum);
    }
  }

  /// The ids in all lists.
  public Iterable<MemoryId> ids() {
    return scores.keySet();
  }

  /// @param lists how many lists can hold the memory
  /// @return 0 when it is in none, else up to 1
  public double match(MemoryId id, int lists) {
    return scores.getOrDefault(id, 0.0) * (k + 1) / lists;
  }
}
