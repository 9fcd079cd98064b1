package dev.agentmemory.recall.internal.table;

import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// Access counts of memories, which are in the table at once and in the store later.
public final class AccessCounts {

  /// Access counts of a commit.
  private static final int FLUSHED = 1000;

  private final MemoryStore store;
  private final MemoryRows rows;
  private final RandomGenerator secrets;
  private final Set<MemoryId> counted = ConcurrentHashMap.newKeySet();

  /// @param secrets a generator that is fit for secrets
  public AccessCounts(MemoryStore store, MemoryRows rows, RandomGenerator secrets) {
    this.store = store;
    this.rows = rows;
    this.secrets = secrets;
  }

  /// Counts an access to memories, in the heap.
  public void add(MemoryTable table, Collection<MemoryId> ids, Instant time) {
    for (MemoryId id : ids) {
      table.change(id, entry -> entry.withUse(entry.use().plus(time)));
      counted.add(id);
    }
  }

  /// Writes what was counted since the last call. To be used while memories are locked for writing.
  public void write(MemoryTable table) {
    List<MemoryId> waiting = List.copyOf(counted);
    for (int i = 0; i < waiting.size(); i += FLUSHED) {
      write(table, waiting.subList(i, Math.min(waiting.size(), i + FLUSHED)));
    }
  }

  private void write(MemoryTable table, List<MemoryId> ids) {
    // Removed first: an access that is counted meanwhile is written now or by the next flush.
    ids.forEach(counted::remove);
    var changes = new MemoryChanges(rows, secrets);
    for (MemoryId id : ids) {
      table.entry(id).ifPresent(entry -> changes.putUse(id, entry.use()));
    }
    boolean written = false;
    try {
      store.commit(Commit.of(changes.changes()));
      written = true;
    } finally {
      if (!written) {
        counted.addAll(ids);
      }
    }
  }
}
