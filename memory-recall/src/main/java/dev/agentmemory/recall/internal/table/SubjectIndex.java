package dev.agentmemory.recall.internal.table;

import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

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

  /// By words of a scope, in the order in which they were added. Lists take a tenth of the memory
  /// of sets: most words are those of one memory.
  private final Map<ScopeInstance, Map<Integer, List<Subject>>> byWord = new HashMap<>();

  private long added;

  /// What one memory says.
  ///
  /// @param number grows with each that is added
  /// @param words ascending
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Subject(MemoryId id, long number, int[] words) {

    private static final Comparator<Subject> IN_ORDER = Comparator.comparingLong(Subject::number);
  }

  void add(MemoryEntry entry) {
    int[] said = hashes(entry);
    if (said.length == 0) {
      return;
    }
    var subject = new Subject(entry.id(), added++, said);
    Map<Integer, List<Subject>> words =
        byWord.computeIfAbsent(ScopeInstance.of(entry.place()), _ -> new HashMap<>());
    for (int hash : said) {
      words.computeIfAbsent(hash, _ -> new ArrayList<>(1)).add(subject);
    }
  }

  void remove(MemoryEntry entry) {
    int[] said = hashes(entry);
    ScopeInstance scope = ScopeInstance.of(entry.place());
    Map<Integer, List<Subject>> words = byWord.getOrDefault(scope, Map.of());
    Optional<Subject> found =
        Arrays.stream(said)
            .mapToObj(hash -> words.getOrDefault(hash, List.of()))
            .min(Comparator.comparingInt(List::size))
            .flatMap(rarest ->
                rarest.stream().filter(subject -> subject.id.equals(entry.id())).findFirst());
    found.ifPresent(subject -> {
      for (int hash : said) {
        words.computeIfPresent(hash, (_, subjects) -> without(subjects, subject));
      }
      if (words.isEmpty()) {
        byWord.remove(scope);
      }
    });
  }

  private static @Nullable List<Subject> without(List<Subject> subjects, Subject gone) {
    subjects.remove(Collections.binarySearch(subjects, gone, Subject.IN_ORDER));
    return subjects.isEmpty() ? null : subjects;
  }

  /// The memories that share most with a statement, the most similar first; of equally similar ones
  /// the one with the larger id. The memory itself is not among them.
  List<MemoryId> alike(MemoryEntry entry, int limit) {
    int[] said = hashes(entry);
    Map<Integer, List<Subject>> words =
        byWord.getOrDefault(ScopeInstance.of(entry.place()), Map.of());
    List<Posting> postings = new ArrayList<>();
    double[] weights = new double[said.length];
    for (int i = 0; i < said.length; i++) {
      List<Subject> subjects = words.getOrDefault(said[i], List.of());
      postings.add(new Posting(i, subjects));
      weights[i] = 1 / Math.log(2.0 + subjects.size());
    }
    postings.sort(Posting.FEWEST_FIRST);
    var overlap = new Overlap(said, weights, ranks(postings));
    var best = new PriorityQueue<>(Shared.LEAST_FIRST);
    int seen = 0;
    for (int rank = 0; rank < postings.size(); rank++) {
      List<Subject> subjects = postings.get(rank).subjects;
      seen += subjects.size();
      // The memories with the rarest words, for as long as few have them.
      if (seen > MOST_SEEN) {
        break;
      }
      for (Subject subject : subjects) {
        overlap.compare(subject);
        // A memory with several of the words was looked at before, unless this is the rarest.
        if (overlap.rarest == rank && overlap.isEnough(subject) && !subject.id.equals(entry.id())) {
          best.add(new Shared(subject.id, overlap.weight));
          if (best.size() > limit) {
            best.remove();
          }
        }
      }
    }
    return best.stream().sorted(Shared.LEAST_FIRST.reversed()).map(Shared::id).toList();
  }

  /// The place of each word among the postings.
  private static int[] ranks(List<Posting> postings) {
    int[] ranks = new int[postings.size()];
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[postings.get(rank).word] = rank;
    }
    return ranks;
  }

  /// The memories that have one of the words of a statement.
  ///
  /// @param word its place among them
  private record Posting(int word, List<Subject> subjects) {

    private static final Comparator<Posting> FEWEST_FIRST =
        Comparator.comparingInt(posting -> posting.subjects.size());
  }

  /// A memory that shares words with a statement.
  private record Shared(MemoryId id, double weight) {

    private static final Comparator<Shared> LEAST_FIRST =
        Comparator.comparingDouble(Shared::weight).thenComparing(Shared::id);
  }

  /// What one memory after the other shares with a statement. Changes with each, because hundreds
  /// are looked at.
  private static final class Overlap {

    /// Slots for each word, at least, so that most words of other memories find an empty one.
    private static final int SLOTS = 8;

    private static final int EMPTY = -1;

    private final int[] said;
    private final double[] weights;
    private final int[] ranks;

    /// Places of words among those said: each in the slot of its low bits or in the next one that
    /// is free.
    private final int[] slots;

    private int words;
    private double weight;
    private int rarest;

    /// @param said the words of the statement
    /// @param ranks 0 for the rarest of them, and so on
    Overlap(int[] said, double[] weights, int[] ranks) {
      this.said = said;
      this.weights = weights;
      this.ranks = ranks;
      this.slots = new int[Integer.highestOneBit(Math.max(1, said.length)) * 2 * SLOTS];
      Arrays.fill(slots, EMPTY);
      for (int i = 0; i < said.length; i++) {
        int slot = slot(said[i]);
        while (slots[slot] != EMPTY) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = i;
      }
    }

    private int slot(int word) {
      return (word ^ (word >>> Short.SIZE)) & (slots.length - 1);
    }

    /// @return the place of a word among those said; [#EMPTY] if it is none of them
    private int find(int word) {
      int slot = slot(word);
      while (slots[slot] != EMPTY && said[slots[slot]] != word) {
        slot = (slot + 1) & (slots.length - 1);
      }
      return slots[slot];
    }

    void compare(Subject subject) {
      words = 0;
      weight = 0;
      rarest = said.length;
      for (int word : subject.words) {
        int i = find(word);
        if (i != EMPTY) {
          words++;
          weight += weights[i];
          rarest = Math.min(rarest, ranks[i]);
        }
      }
    }

    boolean isEnough(Subject subject) {
      return words >= SHARE * Math.min(said.length, subject.words.length);
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
