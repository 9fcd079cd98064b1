package dev.agentmemory.store;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Reads the files of a store as they lie on the disk, so that damage is found before somebody
/// needs the rows.
public interface FileReader {

  /// The files that hold rows now.
  ///
  /// @return empty for a store without files
  List<StoreFile> files();

  /// Reads a file to its end and compares its checksums. What is found is part of the store's
  /// [MemoryStore#damage].
  ///
  /// @param file of [#files]; one that is gone by now is sound
  /// @param read is told after every few bytes how many were read; it may rest, and what it throws
  ///   ends the reading
  /// @return the first damage; empty when there is none
  Optional<DamagedRange> check(StoreFile file, IntConsumer read);
}
