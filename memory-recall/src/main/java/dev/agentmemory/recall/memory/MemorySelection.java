package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.recall.internal.rank.SameStatement;
import dev.agentmemory.recall.memory.ReferenceWalk.StoredId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;

/// Selects memories for one document by several searches. A memory that says what an earlier one of
/// any of the searches says is left out. Each memory is read when it is asked for. Counts no access
/// and asks no model. For one call and one thread.
public final class MemorySelection {

  private final MemorySearcher searcher;
  private final HitList shown;
  private final Set<StoredId> taken = new HashSet<>();

  MemorySelection(MemorySearcher searcher, SameStatement same) {
    this.searcher = searcher;
    this.shown = new HitList(Integer.MAX_VALUE, same);
  }

  /// The current memories that a search finds by words, in the order of the search. Its limit only
  /// bounds how many matches of the query are considered.
  ///
  /// @return gives the next one; empty when none is left
  public Supplier<Optional<MemoryRecord>> ranked(MemorySearch search) {
    Queue<FoundEntry> order = searcher.ranked(search);
    return () -> next(order);
  }

  private Optional<MemoryRecord> next(Queue<FoundEntry> order) {
    while (!order.isEmpty()) {
      FoundEntry found = order.remove();
      if (taken.add(found.id())) {
        Optional<MemoryRecord> memory = shown.offer(found);
        if (memory.isPresent()) {
          return memory;
        }
      }
    }
    return Optional.empty();
  }

  /// How many memories of the workspace and the account cannot be read, as far as is known.
  public long skipped() {
    return searcher.skipped();
  }
}
