package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryHit.Why;
import dev.agentmemory.api.recall.MemorySearch.Order;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import java.util.Comparator;

/// A memory that matches a search. A search without words has one for every memory that its filter
/// lets through, so it has only what the order needs. For one search and one thread.
final class FoundEntry {

  private static final Comparator<FoundEntry> LATEST_FIRST =
      Comparator.comparing(FoundEntry::entry, MemoryEntry.LATEST_FIRST);

  private static final Comparator<FoundEntry> RELEVANT_FIRST =
      Comparator.comparingDouble(FoundEntry::relevance)
          .reversed()
          // The narrowest scope first. It decides nothing else.
          .thenComparing(found -> found.entry().scope())
          .thenComparing(LATEST_FIRST);

  private static final Comparator<FoundEntry> IMPORTANT_FIRST =
      Comparator.comparingDouble((FoundEntry found) -> found.entry().importance())
          .reversed()
          .thenComparing(RELEVANT_FIRST);

  static final Comparator<FoundEntry> BEST_MATCH_FIRST =
      Comparator.comparingDouble((FoundEntry found) -> found.match)
          .reversed()
          .thenComparing(RELEVANT_FIRST);

  private final MemoryCollection memories;
  private final MemoryEntry entry;
  private final double match;
  private final boolean byWords;
  private final boolean replaced;
  private final MemoryRelevance formula;

  /// NaN until it is asked for: an order by time or importance needs it of few memories.
  private double relevance = Double.NaN;

  /// @param match 0 to 1; 1 when there is no query
  /// @param byWords whether words of the query are in it, or in one that it replaced
  /// @param replaced whether a later one has replaced it at the time that is asked for
  /// @param formula of its relevance at that time
  FoundEntry(
      MemoryCollection memories,
      MemoryEntry entry,
      double match,
      boolean byWords,
      boolean replaced,
      MemoryRelevance formula) {
    this.memories = memories;
    this.entry = entry;
    this.match = match;
    this.byWords = byWords;
    this.replaced = replaced;
    this.formula = formula;
  }

  MemoryCollection memories() {
    return memories;
  }

  MemoryEntry entry() {
    return entry;
  }

  boolean byWords() {
    return byWords;
  }

  boolean replaced() {
    return replaced;
  }

  double relevance() {
    if (Double.isNaN(relevance)) {
      relevance = formula.of(entry, match);
    }
    return relevance;
  }

  /// What its relevance is made of.
  Why why() {
    return formula.why(entry, match);
  }

  StoredId id() {
    return new StoredId(memories, entry.id());
  }

  static Comparator<FoundEntry> by(Order order) {
    return switch (order) {
      case RELEVANCE -> RELEVANT_FIRST;
      case TIME -> LATEST_FIRST;
      case IMPORTANCE -> IMPORTANT_FIRST;
    };
  }
}
