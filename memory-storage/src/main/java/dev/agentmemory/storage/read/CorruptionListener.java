package dev.agentmemory.storage.read;

import dev.agentmemory.storage.rows.DamageListener;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.types.MemoryException;

/// Is notified of stored records that cannot be read.
public interface CorruptionListener extends DamageListener {

  /// Decides about an unreadable record that was requested by its key.
  ///
  /// @throws MemoryException `why`, unless the record counts as absent
  default void refused(Table table, byte[] key, MemoryException why) {
    throw why;
  }
}
