package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.MemoryException;

/// Hears of stored records that cannot be read.
public interface CorruptionListener {

  /// A record of a range, or a stretch of them, was left out.
  void skipped(Family family, DamagedRange range, MemoryException why);

  /// Decides about a record that was asked for by its key.
  ///
  /// @throws MemoryException `why`, unless it is taken as absent
  default void refused(Family family, byte[] key, MemoryException why) {
    throw why;
  }
}
