package dev.agentmemory.recall.memory;

import dev.agentmemory.recall.internal.record.MemoryJson.MemoryRow;
import dev.agentmemory.recall.internal.table.MemoryEntry;

/// A memory that is to be stored: its row, and its entry of the table, whose statement takes about
/// as long to compute as the rest of a write. So it is made before memories are locked.
record NewMemory(MemoryRow row, MemoryEntry entry) {

  static NewMemory of(MemoryRow row) {
    return new NewMemory(row, MemoryEntry.of(row.memory(), row.bytes()));
  }
}
