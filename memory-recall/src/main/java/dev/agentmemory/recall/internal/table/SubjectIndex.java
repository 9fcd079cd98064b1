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
/// Its cost does not grow with the number of memories: it looks at [#MOST_SEEN] of them at most. A
/// word that more of them have does not tell what a statement is about, so it finds none by itself.
final class SubjectIndex {

  /// Memories that one search looks at.
  static final int MOST_SEEN = 500;

  /// What two statements about the same share at least of the words of the shorter one. Of 70
  /// labelled contradictions one has less.
  private static final double SHARE = 0.3;

  private static final Comparator<Shared> MOST_SHARED_FIRST =
      Comparator.comparingDouble((Shared one) -> one.weight)
          .thenComparing(one -> one.id)
          .reversed();

  private final Map<Word, Set<MemoryId>> byWord = new HashMap<>();
  private final Map<MemoryId, Integer> sizes = new HashMap<>();

  private record Word(ScopeInstance scope, int hash) {}

  void add(MemoryEntry entry) {
    List<Word> words = words(entry);
    if (!words.isEmpty()) {
      sizes.put(entry.id(), words.size());
    }
    for (Word word : words) {
      byWord.computeIfAbsent(word, _ -> new LinkedHashSet<>()).add(entry.id());
    }
  }

  void remove(MemoryEntry entry) {
    sizes.remove(entry.id());
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
    Map<MemoryId, Shared> found = new HashMap<>();
    int seen = 0;
    for (Set<MemoryId> ids : postings) {
      double weight = 1 / Math.log(2.0 + ids.size());
      seen += ids.size();
      if (seen <= MOST_SEEN) {
        ids.forEach(id -> found.computeIfAbsent(id, Shared::new).add(weight));
      } else {
        found.values().stream().filter(one -> ids.contains(one.id)).forEach(one -> one.add(weight));
      }
    }
    found.remove(entry.id());
    int words = postings.size();
    return found.values().stream()
        .filter(one -> one.words >= SHARE * Math.min(words, sizes.getOrDefault(one.id, words)))
        .sorted(MOST_SHARED_FIRST)
        .limit(limit)
        .map(one -> one.id)
        .toList();
  }

  /// What a memory shares with a statement.
  private static final class Shared {

    private final MemoryId id;
    private int words;
    private double weight;

    Shared(MemoryId id) {
      this.id = id;
    }

    void add(double more) {
      words++;
      weight += more;
    }
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
