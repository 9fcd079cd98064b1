package dev.agentmemory.storage.rows;

import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.MemoryException;

/// Is told what a scan leaves out.
public interface DamageListener {

  /// @param why with `CORRUPT_RECORD`
  void skipped(Table table, DamagedRange range, MemoryException why);
}
