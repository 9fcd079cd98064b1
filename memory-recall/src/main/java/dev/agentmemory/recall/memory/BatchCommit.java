package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.internal.record.MemoryChanges;
import dev.agentmemory.recall.internal.record.MemoryRows;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.recall.memory.MemoryBatch.Put;
import dev.agentmemory.recall.memory.MemoryBatch.Removal;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Turns a batch into changes of rows, of the table and of the word index. For one batch, while
/// memories are locked for writing.
final class BatchCommit {

  private final MemoryBatch batch;
  private final MemoryTable table;
  private final MemoryRows rows;
  private final MemoryChanges changes;
  private final List<MemoryEntry> put = new ArrayList<>();
  private final List<WordIndex.Doc> docs = new ArrayList<>();
  private final List<MemoryId> removed = new ArrayList<>();
  private final Map<MemoryId, MemoryId> merged = new HashMap<>();
  private final List<MemoryId> unmerged = new ArrayList<>();

  BatchCommit(MemoryBatch batch, MemoryTable table, MemoryRows rows, MemoryChanges changes) {
    this.batch = batch;
    this.table = table;
    this.rows = rows;
    this.changes = changes;
  }

  /// Computes everything. Reads rows, but changes nothing yet.
  void prepare() {
    batch.puts.values().forEach(this::put);
    batch.removals.forEach(this::remove);
    batch.uses.forEach(changes::putUse);
    batch.vectors.forEach(changes::putVector);
    batch.states.forEach(one -> changes.putState(one.number(), one.state()));
    batch.droppedStates.forEach(one -> changes.dropState(one.id(), one.number()));
    addUnwritten();
    changes.addAll(batch.others);
  }

  MemoryTable.Changed changed() {
    return new MemoryTable.Changed(put, Set.copyOf(batch.uses.keySet()), removed, merged, unmerged);
  }

  List<WordIndex.Doc> docs() {
    return docs;
  }

  List<MemoryId> removed() {
    return removed;
  }

  private void put(Put one) {
    MemoryRecord memory = one.row().memory();
    MemoryId id = memory.id();
    one.former().ifPresent(changes::keep);
    changes.put(one.row(), one.isNew());
    if (one.restored()) {
      changes.dropTombstone(id);
      changes.dropMerged(id);
      unmerged.add(id);
    }
    MemoryEntry entry = one.entry();
    Optional<MemoryEntry> known = table.entry(id);
    Optional<MemoryVector> former = known.flatMap(MemoryEntry::vector);
    boolean says = known.map(MemoryEntry::statement).equals(Optional.of(entry.statement()));
    boolean keeps = says && entry.statement().exact().isPresent();
    if (former.isPresent() && !keeps && !batch.vectors.containsKey(id)) {
      changes.dropVector(id);
    }
    MemoryUse use = known.map(MemoryEntry::use).orElse(MemoryUse.NEVER);
    put.add(
        entry
            .withUse(batch.uses.getOrDefault(id, use))
            .withVector(
                Optional.ofNullable(batch.vectors.get(id)).or(() -> keeps ? former : noVector())));
    docs.add(IndexedWords.doc(memory));
  }

  private static Optional<MemoryVector> noVector() {
    return Optional.empty();
  }

  /// The table's side of uses and vectors of memories that stay as they are otherwise.
  private void addUnwritten() {
    Map<MemoryId, MemoryEntry> entries = new HashMap<>();
    batch.uses.forEach((id, use) ->
        unwritten(entries, id).ifPresent(entry -> entries.put(id, entry.withUse(use))));
    batch.vectors.forEach((id, vector) ->
        unwritten(entries, id)
            .ifPresent(entry -> entries.put(id, entry.withVector(Optional.of(vector)))));
    put.addAll(entries.values());
  }

  private Optional<MemoryEntry> unwritten(Map<MemoryId, MemoryEntry> entries, MemoryId id) {
    return batch.puts.containsKey(id)
        ? Optional.empty()
        : Optional.ofNullable(entries.get(id)).or(() -> table.entry(id));
  }

  private void remove(MemoryId id, Removal removal) {
    removed.add(id);
    switch (removal) {
      case Removal.Deleted(Tombstone tombstone) -> {
        // Only what must not come back needs digests; upkeep drops thousands at once.
        if (tombstone.forgotten()) {
          List<MemoryId> parts = table.mergedInto(id);
          changes.bury(tombstone, readable(id), parts);
          unmerged.addAll(parts);
        } else {
          changes.bury(tombstone, Optional.empty(), List.of());
        }
      }
      case Removal.Merged(MemoryRecord memory, MemoryId into) -> {
        changes.putMerged(memory, into);
        merged.put(id, into);
      }
      case Removal.MergedElsewhere(MemoryId into) -> {
        changes.putMerged(id, into);
        merged.put(id, into);
      }
    }
    changes.drop(id);
  }

  /// A memory that cannot be read can be deleted, too.
  private Optional<MemoryRecord> readable(MemoryId id) {
    try {
      return rows.memory(id);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      return Optional.empty();
    }
  }
}
