package dev.agentmemory.recall.internal.table;

import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
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

  private static final Comparator<Shared> LEAST_SHARED_FIRST =
      Comparator.comparingDouble(Shared::weight).thenComparing(one -> one.subject.id);

  private final Map<Word, Set<Subject>> byWord = new HashMap<>();
  private final Map<MemoryId, Subject> byMemory = new HashMap<>();

  private record Word(ScopeInstance scope, int hash) {}

  /// What one memory says. Compared by identity, because a search adds hundreds of them to a set.
  private static final class Subject {

    private final MemoryId id;

    /// Ascending.
    private final int[] words;

    Subject(MemoryId id, int[] words) {
      this.id = id;
      this.words = words;
    }
  }

  void add(MemoryEntry entry) {
    int[] said = hashes(entry);
    if (said.length == 0) {
      return;
    }
    var subject = new Subject(entry.id(), said);
    byMemory.put(entry.id(), subject);
    ScopeInstance scope = ScopeInstance.of(entry.place());
    for (int hash : said) {
      byWord.computeIfAbsent(new Word(scope, hash), _ -> new LinkedHashSet<>()).add(subject);
    }
  }

  void remove(MemoryEntry entry) {
    Subject subject = byMemory.remove(entry.id());
    if (subject == null) {
      return;
    }
    ScopeInstance scope = ScopeInstance.of(entry.place());
    for (int hash : subject.words) {
      byWord.computeIfPresent(
          new Word(scope, hash),
          (_, subjects) -> {
            subjects.remove(subject);
            return subjects.isEmpty() ? null : subjects;
          });
    }
  }

  /// The memories that share most with a statement, the most similar first; of equally similar ones
  /// the one with the larger id. The memory itself is not among them.
  List<MemoryId> alike(MemoryEntry entry, int limit) {
    int[] said = hashes(entry);
    ScopeInstance scope = ScopeInstance.of(entry.place());
    List<Set<Subject>> postings = new ArrayList<>();
    double[] weights = new double[said.length];
    for (int i = 0; i < said.length; i++) {
      Set<Subject> subjects = byWord.getOrDefault(new Word(scope, said[i]), Set.of());
      postings.add(subjects);
      weights[i] = 1 / Math.log(2.0 + subjects.size());
    }
    var best = new PriorityQueue<>(LEAST_SHARED_FIRST);
    for (Subject subject : candidates(postings)) {
      Shared shared = Shared.of(subject, said, weights);
      if (shared.words >= SHARE * Math.min(said.length, subject.words.length)
          && !subject.id.equals(entry.id())) {
        best.add(shared);
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
    return best.stream()
        .sorted(LEAST_SHARED_FIRST.reversed())
        .map(shared -> shared.subject.id)
        .toList();
  }

  /// The memories with the rarest words, for as long as few have them.
  private static Set<Subject> candidates(List<Set<Subject>> postings) {
    Set<Subject> candidates = new HashSet<>();
    postings.sort(Comparator.comparingInt(Set::size));
    int seen = 0;
    for (Set<Subject> subjects : postings) {
      seen += subjects.size();
      if (seen > MOST_SEEN) {
        break;
      }
      candidates.addAll(subjects);
    }
    return candidates;
  }

  /// What a memory shares with a statement.
  private record Shared(Subject subject, int words, double weight) {

    /// @param said the words of the statement, ascending
    /// @param weights of them
    static Shared of(Subject subject, int[] said, double[] weights) {
      int[] other = subject.words;
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
      return new Shared(subject, words, weight);
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
}
