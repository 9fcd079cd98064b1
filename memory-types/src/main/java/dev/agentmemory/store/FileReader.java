package dev.agentmemory.store;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// Reads the files of a store as they are on disk, so that damage is found before a caller needs
/// the rows.
public interface FileReader {

  /// The files that hold rows now.
  ///
  /// @return empty for a store without files
  List<StoreFile> files();

  /// Reads a file to its end and compares its checksums. What is found is part of the store's
  /// [MemoryStore#damage].
  ///
  /// @param file of [#files]; a file that was deleted meanwhile has no damage
  /// @param read is called with the number of bytes after each small read; it may sleep, and an
  ///   exception from it ends the reading
  /// @return the first damage; empty when there is none
  Optional<DamagedRange> check(StoreFile file, IntConsumer read);
}
