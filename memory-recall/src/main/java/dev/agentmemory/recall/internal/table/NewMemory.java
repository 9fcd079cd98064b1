package dev.agentmemory.recall.internal.table;

import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;

/// A memory that is to be stored: its row, and its entry of the table, whose statement takes about
/// as long to compute as the rest of a write. So it is made before memories are locked.
///
/// @param isDrawn whether its id was drawn for it, so that no other one has it
public record NewMemory(MemoryRow row, MemoryEntry entry, boolean isDrawn) {

  public static NewMemory of(MemoryRow row, boolean isDrawn) {
    return new NewMemory(row, MemoryEntry.of(row.memory(), row.bytes()), isDrawn);
  }
}
