package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryTable;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Stores the memories of one call. For one call, while memories are locked for writing.
///
/// A strict call fails with the first refusal and has stored nothing then. Any other passes over
/// what is refused.
final class Addition {

  private final MemoryCollection memories;
  private final MemoryTable table;
  private final boolean strict;
  private final Instant now;
  private final Predicate<MemoryId> elsewhere;
  private final WriteLimits limits;
  private final Map<Integer, AddOutcome> outcomes;
  private final Map<MemoryId, DraftedMemory> accepted = new LinkedHashMap<>();

  /// @param now the time of the call
  /// @param elsewhere whether a memory exists outside of the collection
  /// @param outcomes of drafts that are refused already, by index
  Addition(
      MemoryCollection memories,
      boolean strict,
      Instant now,
      Predicate<MemoryId> elsewhere,
      WriteLimits limits,
      Map<Integer, AddOutcome> outcomes) {
    this.memories = memories;
    this.table = memories.table();
    this.strict = strict;
    this.now = now;
    this.elsewhere = elsewhere;
    this.limits = limits;
    this.outcomes = outcomes;
  }

  /// Adds to the outcomes those of all drafts.
  void run(List<DraftedMemory> drafted) {
    for (DraftedMemory one : drafted) {
      attempt(
          one,
          () -> {
            Optional<AddOutcome> early = known(one);
            early.ifPresentOrElse(
                outcome -> outcomes.put(one.index(), outcome), () -> accepted.put(one.id(), one));
          });
    }
    checkReferences();
    checkLimits();
    var batch = new MemoryBatch();
    Map<MemoryId, MemoryRecord> stored =
        new Supersession(memories, now)
            .add(accepted.values().stream().map(DraftedMemory::made).toList(), batch);
    memories.commit(batch);
    for (DraftedMemory one : accepted.values()) {
      MemoryRecord memory = stored.getOrDefault(one.id(), one.memory());
      outcomes.put(one.index(), new AddOutcome.Added(memories.withVectorState(memory)));
    }
  }

  private void attempt(DraftedMemory one, Runnable check) {
    try {
      check.run();
    } catch (MemoryException e) {
      if (strict) {
        throw e;
      }
      accepted.remove(one.id(), one);
      outcomes.put(one.index(), new AddOutcome.Refused(e));
    }
  }

  /// What becomes of a draft that is not to be stored as a new memory.
  private Optional<AddOutcome> known(DraftedMemory one) {
    if (one.made().isDrawn()) {
      return forgotten(one);
    }
    MemoryId id = one.id();
    if (accepted.containsKey(id)) {
      throw one.invalid(
          "memory_id", "is the id of memories[%d], too".formatted(accepted.get(id).index()));
    }
    Optional<MemoryEntry> entry = table.find(id);
    if (entry.isPresent() || table.isCorrupt(table.resolved(id))) {
      return Optional.of(new AddOutcome.Known(same(one, memories.get(id))));
    }
    if (table.isMerged(id) || memories.rows().tombstone(id).isPresent()) {
      return Optional.of(gone(one));
    }
    return forgotten(one);
  }

  /// What was deleted must not come back, unless a caller asks for it.
  private Optional<AddOutcome> forgotten(DraftedMemory one) {
    return !strict
            && memories
                .tombstones()
                .isForgottenWithin(one.memory().place(), one.memory().content().text())
        ? Optional.of(new AddOutcome.Gone(one.id()))
        : Optional.empty();
  }

  private AddOutcome gone(DraftedMemory one) {
    if (strict) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "%s: memory %s was deleted; send another id, or none"
              .formatted(DraftedMemory.field(one.index(), "memory_id"), one.id()));
    }
    return new AddOutcome.Gone(one.id());
  }

  /// @param stored the memory with the id of a draft, or the one that it was merged into
  private MemoryRecord same(DraftedMemory one, MemoryRecord stored) {
    boolean merged = !stored.id().equals(one.id());
    boolean same =
        merged
            ? stored.content().equals(one.memory().content())
            : one.isSameAs(stored)
                // It is what was stored first, and has been changed since.
                || memories.rows().oldestState(one.id()).map(one::isSameAs).orElse(false);
    if (same) {
      return stored;
    }
    throw new MemoryException(
        ErrorCode.CONFLICT,
        "%s: memory %s %s; send another id, or update it"
            .formatted(
                DraftedMemory.field(one.index(), "memory_id"),
                one.id(),
                merged ? "was merged into " + stored.id() : "is stored with other content"));
  }

  /// A draft that is passed over takes those with it that refer to it.
  private void checkReferences() {
    int before;
    do {
      before = accepted.size();
      for (DraftedMemory one : new ArrayList<>(accepted.values())) {
        attempt(one, () -> checkReferences(one));
      }
    } while (accepted.size() < before);
  }

  private void checkReferences(DraftedMemory one) {
    for (MemoryId reference : one.memory().links().references()) {
      if (!accepted.containsKey(reference)) {
        memories
            .writer()
            .checkReference(DraftedMemory.field(one.index(), "references"), reference, elsewhere);
      }
    }
  }

  private void checkLimits() {
    List<DraftedMemory> all = List.copyOf(accepted.values());
    if (strict) {
      limits.addAll(all);
    } else {
      all.forEach(one -> attempt(one, () -> limits.add(one.row())));
      checkReferences();
    }
  }
}
