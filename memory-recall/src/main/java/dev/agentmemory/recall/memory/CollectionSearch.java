package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.rank.RankFusion;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Finds the memories of one collection that match a search. For one search.
///
/// Memories that a later one has replaced are searched, too: what is asked for may stand in the old
/// one only. They pass their match on to the one that is current.
final class CollectionSearch {

  /// Memories of each list that are combined, unless more results are asked for.
  private static final int WINDOW = 200;

  /// By how much the window grows while what it holds says too few different things.
  private static final int WIDER = 4;

  /// Longest chain of replaced memories that is followed.
  private static final int CHAIN = 1000;

  private final MemoryCollection memories;
  private final MemoryTable table;
  private final MemorySearch search;
  private final Instant time;
  private final int k;
  private final MemoryRelevance relevance;
  private final Predicate<MemoryEntry> allowed;
  private final Map<MemoryId, Double> matches = new HashMap<>();
  private final Set<MemoryId> byWords = new HashSet<>();
  private boolean usesVectors;
  private boolean wordsOnly;

  /// @param filter what is allowed
  /// @param time as of when
  /// @param k of reciprocal rank fusion
  CollectionSearch(
      MemoryCollection memories,
      MemorySearch search,
      Predicate<MemoryEntry> filter,
      Instant time,
      int k) {
    this.memories = memories;
    this.table = memories.table();
    this.search = search;
    this.time = time;
    this.k = k;
    this.relevance = memories.relevance(time);
    this.allowed = search.asOf().isEmpty() ? filter : filter.and(this::wasThere);
  }

  /// Lets words alone decide, so that no model is asked.
  CollectionSearch byWordsOnly() {
    wordsOnly = true;
    return this;
  }

  List<FoundEntry> run() {
    List<FoundEntry> found = new ArrayList<>();
    if (search.query().isBlank()) {
      for (MemoryEntry entry : candidates()) {
        if (isAskedFor(entry)) {
          found.add(found(entry, 1));
        }
      }
      return found;
    }
    match();
    // What replaced what, and what is found, are of the same moment.
    try (var _ = table.reading()) {
      passOn();
      matches.forEach(
          (id, match) -> candidate(id).ifPresent(entry -> found.add(found(entry, match))));
    }
    return found;
  }

  private FoundEntry found(MemoryEntry entry, double match) {
    return new FoundEntry(
        memories, entry, match, byWords.contains(entry.id()), isReplaced(entry), relevance);
  }

  /// Whether vectors took part.
  boolean usesVectors() {
    return usesVectors;
  }

  private List<MemoryEntry> candidates() {
    List<MemoryEntry> candidates = new ArrayList<>();
    try (var _ = table.reading()) {
      for (MemoryEntry entry : table.entries()) {
        if (allowed.test(entry)) {
          candidates.add(entry);
        }
      }
    }
    return candidates;
  }

  private Optional<MemoryEntry> candidate(MemoryId id) {
    return table.entry(id).filter(allowed);
  }

  private boolean wasThere(MemoryEntry entry) {
    return !entry.validity().validFrom().isAfter(time);
  }

  private boolean isReplaced(MemoryEntry entry) {
    return search.asOf().isEmpty() ? entry.isSuperseded() : !entry.validity().holdsAt(time);
  }

  private boolean isAskedFor(MemoryEntry entry) {
    return search.filter().superseded() || !isReplaced(entry);
  }

  private void match() {
    boolean asks = !wordsOnly && memories.vectors().asksFor(search.query(), allowed);
    // The model takes longer than the rest, and needs nothing of it.
    Supplier<Optional<MemoryVector>> vector =
        asks ? memories.vectors().beginQuery(search.query()) : Optional::empty;
    int window = Math.max(WINDOW, 2 * search.limit());
    List<MemoryId> words = words(window);
    List<MemoryEntry> candidates = asks ? candidates() : List.of();
    Optional<MemoryVector> query = vector.get();
    combine(words, query, candidates, window);
    while (matches.size() >= window && statements() < search.limit()) {
      window *= WIDER;
      combine(words(window), query, candidates, window);
    }
  }

  private List<MemoryId> words(int limit) {
    return memories.matchWords(search.query(), id -> candidate(id).isPresent(), limit);
  }

  /// How many different things the memories that were found say. Only one that says the same is
  /// shown.
  private long statements() {
    return matches.keySet().stream()
        .flatMap(id -> candidate(id).stream())
        .map(entry -> entry.statement().exact().map(Object.class::cast).orElse(entry.id()))
        .distinct()
        .count();
  }

  private void combine(
      List<MemoryId> words,
      Optional<MemoryVector> query,
      List<MemoryEntry> candidates,
      int window) {
    var fusion = new RankFusion(k);
    byWords.addAll(words);
    fusion.add(words);
    query.ifPresent(found -> fusion.add(nearest(candidates, found, window)));
    matches.clear();
    for (MemoryId id : fusion.ids()) {
      candidate(id)
          .ifPresent(one -> {
            boolean both = query.isPresent() && isComparable(one, query.get());
            matches.put(id, fusion.match(id, both ? 2 : 1));
          });
    }
  }

  private static boolean isComparable(MemoryEntry entry, MemoryVector query) {
    return entry.vector().isPresent() && entry.vector().get().isComparable(query);
  }

  private record Near(MemoryId id, double cosine) {

    private static final Comparator<Near> FARTHEST_FIRST =
        Comparator.comparingDouble(Near::cosine).thenComparing(Near::id, Comparator.reverseOrder());
  }

  private List<MemoryId> nearest(List<MemoryEntry> candidates, MemoryVector query, int limit) {
    var best = new PriorityQueue<>(Near.FARTHEST_FIRST);
    float[] asked = query.values();
    for (MemoryEntry entry : candidates) {
      if (isComparable(entry, query)) {
        usesVectors = true;
        double cosine = entry.vector().get().cosine(asked);
        // What points elsewhere has nothing in common with the query.
        if (cosine > 0 && (best.size() < limit || cosine >= best.element().cosine())) {
          best.add(new Near(entry.id(), cosine));
          if (best.size() > limit) {
            best.remove();
          }
        }
      }
    }
    return best.stream().sorted(Near.FARTHEST_FIRST.reversed()).map(Near::id).toList();
  }

  /// Gives current memories the match of those that they replaced, and takes those out unless they
  /// are asked for.
  private void passOn() {
    for (MemoryId id : List.copyOf(matches.keySet())) {
      Optional<MemoryEntry> entry = candidate(id);
      if (entry.isPresent() && isReplaced(entry.get())) {
        current(entry.get()).ifPresent(head -> passOn(id, head));
        if (!isAskedFor(entry.get())) {
          matches.remove(id);
        }
      }
    }
  }

  private void passOn(MemoryId from, MemoryId head) {
    matches.merge(head, matches.getOrDefault(from, 0.0), Math::max);
    if (byWords.contains(from)) {
      byWords.add(head);
    }
  }

  /// The memory that is current in place of a replaced one, if it is a candidate.
  Optional<MemoryId> current(MemoryEntry replaced) {
    Optional<MemoryEntry> entry = Optional.of(replaced);
    for (int i = 0; i < CHAIN && entry.isPresent() && isReplaced(entry.get()); i++) {
      entry = entry.get().validity().supersededBy().flatMap(table::find);
    }
    return entry.filter(head -> !isReplaced(head)).filter(allowed).map(MemoryEntry::id);
  }

  /// What a memory has replaced by the time that is asked for, directly or not; the latest first.
  List<MemoryId> replaced(MemoryEntry entry) {
    Set<MemoryId> found = new HashSet<>(Set.of(entry.id()));
    List<MemoryEntry> all = new ArrayList<>();
    List<MemoryId> open = new ArrayList<>(List.of(entry.id()));
    while (!open.isEmpty() && all.size() < CHAIN) {
      for (MemoryId former : table.replacedBy(open.removeLast())) {
        Optional<MemoryEntry> known = table.entry(former).filter(this::isReplaced);
        if (known.isPresent() && found.add(former)) {
          all.add(known.get());
          open.add(former);
        }
      }
    }
    all.sort(MemoryEntry.LATEST_FIRST);
    return all.stream().map(MemoryEntry::id).toList();
  }
}
