package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemorySearch.Order;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import java.util.Comparator;

/// A memory that matches a search. A search without words has one for every memory that its filter
/// lets through, so it has only what the order needs.
///
/// @param match 0 to 1; 1 when there is no query
/// @param byWords whether words of the query are in it, or in one that it replaced
/// @param replaced whether a later one has replaced it at the time that is asked for
record FoundEntry(
    MemoryCollection memories,
    MemoryEntry entry,
    double match,
    double relevance,
    boolean byWords,
    boolean replaced) {

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
      Comparator.comparingDouble(FoundEntry::match).reversed().thenComparing(RELEVANT_FIRST);

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
