package dev.agentmemory.rocksdb;

import java.nio.file.Path;
import java.util.Optional;

/// Location of a store.
///
/// @param directory contains the whole store
/// @param witness a file outside the directory that records how far the store had come, so that a
///   deleted or truncated log is detected; empty for a store without a witness
public record StoreLocation(Path directory, Optional<Path> witness) {

  /// The folder of the witnesses in a data directory. It is outside the stores, so that damage to a
  /// store does not affect its witness.
  public static final String WITNESSES = "witness";

  /// A store without a witness.
  public static StoreLocation of(Path directory) {
    return new StoreLocation(directory, Optional.empty());
  }

  /// A store of a data directory, with its witness at `witness/NAME` in there. The witness of a
  /// store directly in the data directory is `witness/@NAME`.
  public static StoreLocation within(Path data, Path directory) {
    boolean direct = data.equals(directory.getParent());
    String name = (direct ? "@" : "") + directory.getFileName();
    return new StoreLocation(directory, Optional.of(data.resolve(WITNESSES).resolve(name)));
  }
}
