package dev.agentmemory.recall.internal.record;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.store.record.StoredRecord;
import java.util.List;
import java.util.Optional;

/// A memory before and after a run of upkeep.
///
/// @param before as it was
/// @param use how it had been read before
/// @param vector that it had
/// @param history rows of its former states
/// @param after as the run left it; empty when the run removed it
public record LoggedMemory(
    MemoryRecord before,
    MemoryUse use,
    Optional<MemoryVector> vector,
    List<StoredRecord> history,
    Optional<After> after) {

  public LoggedMemory {
    history = List.copyOf(history);
  }

  /// What a run made of a memory.
  public record After(MemoryRecord memory, MemoryUse use) {}
}
