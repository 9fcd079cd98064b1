package dev.agentmemory.recall.internal.table;

import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;

/// A memory that is to be stored: its row, and its entry of the table, whose statement takes about
/// as long to compute as the rest of a write. So it is made before memories are locked.
public record NewMemory(MemoryRow row, MemoryEntry entry) {

  public static NewMemory of(MemoryRow row) {
    return new NewMemory(row, MemoryEntry.of(row.memory(), row.bytes()));
  }
}
