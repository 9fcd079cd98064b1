package dev.agentmemory.storage;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Where a store lies.
///
/// @param directory holds everything of the store
/// @param witness a file outside the directory that says how far the store had come, so that a log
///   that was deleted or cut off is noticed; empty does without
public record StoreLocation(Path directory, Optional<Path> witness) {

  /// The folder of the witnesses in a data directory: outside the stores, so that a store that is
  /// damaged does not lose its witness, too.
  public static final String WITNESSES = "witness";

  public StoreLocation {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(witness, "witness");
  }

  /// A store without a witness.
  public static StoreLocation of(Path directory) {
    return new StoreLocation(directory, Optional.empty());
  }

  /// A store of a data directory, with its witness at `witness/NAME` in there; that of a store that
  /// lies in the data directory itself is `witness/@NAME`.
  public static StoreLocation within(Path data, Path directory) {
    boolean direct = data.equals(directory.getParent());
    String name = (direct ? "@" : "") + directory.getFileName();
    return new StoreLocation(directory, Optional.of(data.resolve(WITNESSES).resolve(name)));
  }
}
