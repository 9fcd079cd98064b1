package dev.agentmemory.recall.internal.table;

import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds memories of one scope that are about the same as a statement, by the words that they
/// share. Rare words count more.
///
/// Its cost does not grow with the number of memories: words that more than [#MOST_SEEN] of them
/// have are left out, because they do not tell what a statement is about.
final class SubjectIndex {

  /// Memories that one search looks at.
  static final int MOST_SEEN = 1000;

  private final Map<Word, Set<MemoryId>> byWord = new HashMap<>();

  private record Word(ScopeInstance scope, int hash) {}

  void add(MemoryEntry entry) {
    for (Word word : words(entry)) {
      byWord.computeIfAbsent(word, _ -> new LinkedHashSet<>()).add(entry.id());
    }
  }

  void remove(MemoryEntry entry) {
    for (Word word : words(entry)) {
      byWord.computeIfPresent(
          word,
          (_, ids) -> {
            ids.remove(entry.id());
            return ids.isEmpty() ? null : ids;
          });
    }
  }

  /// The memories that share most with a statement, the most similar first; of equally similar ones
  /// the one with the larger id. The memory itself is not among them.
  List<MemoryId> alike(MemoryEntry entry, int limit) {
    List<Set<MemoryId>> postings = new ArrayList<>();
    for (Word word : words(entry)) {
      postings.add(byWord.getOrDefault(word, Set.of()));
    }
    postings.sort(Comparator.comparingInt(Set::size));
    Map<MemoryId, Double> shared = new HashMap<>();
    int seen = 0;
    for (Set<MemoryId> ids : postings) {
      seen += ids.size();
      if (seen > MOST_SEEN) {
        break;
      }
      double weight = 1 / Math.log(2.0 + ids.size());
      ids.forEach(id -> shared.merge(id, weight, Double::sum));
    }
    shared.remove(entry.id());
    return shared.entrySet().stream()
        .sorted(
            Map.Entry.<MemoryId, Double>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey())
                .reversed())
        .limit(limit)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<Word> words(MemoryEntry entry) {
    ScopeInstance scope = ScopeInstance.of(entry.place());
    return entry
        .statement()
        .words()
        .filter(_ -> entry.isStatement())
        .map(said -> Arrays.stream(said.words()).mapToObj(hash -> new Word(scope, hash)).toList())
        .orElse(List.of());
  }
}
