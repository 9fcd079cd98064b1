package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.MemoryException;

/// Is notified of stored records that cannot be read.
public interface CorruptionListener {

  /// A record of a range, or several of them, was skipped.
  void skipped(Family family, DamagedRange range, MemoryException why);

  /// Decides about an unreadable record that was requested by its key.
  ///
  /// @throws MemoryException `why`, unless the record counts as absent
  default void refused(Family family, byte[] key, MemoryException why) {
    throw why;
  }
}
