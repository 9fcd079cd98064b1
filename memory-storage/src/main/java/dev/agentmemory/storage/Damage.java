package dev.agentmemory.storage;

import dev.agentmemory.types.MemoryException;

/// Hears of stored records that cannot be read.
interface Damage {

  /// A record of a range, or a stretch of them, was left out.
  ///
  /// @param place which, in readable form
  void skipped(Family family, String place, MemoryException why);

  /// Decides about a record that was asked for by its key.
  ///
  /// @throws MemoryException `why`, unless it is taken as absent
  default void refused(Family family, byte[] key, MemoryException why) {
    throw why;
  }
}
