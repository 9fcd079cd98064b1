package dev.agentmemory.recall.internal.table;

import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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

  private static final int[] NO_WORDS = {};

  private static final Comparator<Shared> MOST_SHARED_FIRST =
      Comparator.comparingDouble((Shared one) -> one.weight)
          .thenComparing(one -> one.id)
          .reversed();

  private final Map<Word, Set<MemoryId>> byWord = new HashMap<>();

  /// The words of each memory, ascending.
  private final Map<MemoryId, int[]> byMemory = new HashMap<>();

  private record Word(ScopeInstance scope, int hash) {}

  void add(MemoryEntry entry) {
    List<Word> words = words(entry);
    if (!words.isEmpty()) {
      byMemory.put(entry.id(), hashes(entry));
    }
    for (Word word : words) {
      byWord.computeIfAbsent(word, _ -> new LinkedHashSet<>()).add(entry.id());
    }
  }

  void remove(MemoryEntry entry) {
    byMemory.remove(entry.id());
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
    int[] said = hashes(entry);
    ScopeInstance scope = ScopeInstance.of(entry.place());
    List<Set<MemoryId>> postings = new ArrayList<>();
    double[] weights = new double[said.length];
    for (int i = 0; i < said.length; i++) {
      Set<MemoryId> ids = byWord.getOrDefault(new Word(scope, said[i]), Set.of());
      postings.add(ids);
      weights[i] = 1 / Math.log(2.0 + ids.size());
    }
    List<Shared> found = new ArrayList<>();
    for (MemoryId id : candidates(postings)) {
      int[] other = byMemory.getOrDefault(id, NO_WORDS);
      Shared shared = Shared.of(id, said, weights, other);
      if (!id.equals(entry.id()) && shared.words >= SHARE * Math.min(said.length, other.length)) {
        found.add(shared);
      }
    }
    return found.stream().sorted(MOST_SHARED_FIRST).limit(limit).map(Shared::id).toList();
  }

  /// The memories with the rarest words, for as long as few have them.
  private static Set<MemoryId> candidates(List<Set<MemoryId>> postings) {
    Set<MemoryId> candidates = new HashSet<>();
    postings.sort(Comparator.comparingInt(Set::size));
    int seen = 0;
    for (Set<MemoryId> ids : postings) {
      seen += ids.size();
      if (seen > MOST_SEEN) {
        break;
      }
      candidates.addAll(ids);
    }
    return candidates;
  }

  /// What a memory shares with a statement.
  private record Shared(MemoryId id, int words, double weight) {

    /// @param said the words of the statement, ascending
    /// @param weights of them
    /// @param other the words of the memory, ascending
    static Shared of(MemoryId id, int[] said, double[] weights, int[] other) {
      int words = 0;
      double weight = 0;
      int at = 0;
      for (int i = 0; i < said.length; i++) {
        while (at < other.length && other[at] < said[i]) {
          at++;
        }
        if (at < other.length && other[at] == said[i]) {
          words++;
          weight += weights[i];
        }
      }
      return new Shared(id, words, weight);
    }
  }

  private static int[] hashes(MemoryEntry entry) {
    return entry
        .statement()
        .words()
        .filter(_ -> entry.isStatement())
        .map(StatedWords::words)
        .orElse(NO_WORDS);
  }

  private static List<Word> words(MemoryEntry entry) {
    ScopeInstance scope = ScopeInstance.of(entry.place());
    return Arrays.stream(hashes(entry)).mapToObj(hash -> new Word(scope, hash)).toList();
  }
}
