package dev.agentmemory.store;

import java.time.Instant;
import java.util.Objects;

/// A file in which a store keeps its rows.
///
/// @param name unique in the store for ever: a file with rows is never written anew under its name
/// @param bytes its size now
/// @param changed when it was last written to
public record StoreFile(String name, long bytes, Instant changed) {

  public StoreFile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(changed, "changed");
  }
}
