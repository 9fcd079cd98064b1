package dev.agentmemory.store;

import java.util.Optional;

/// Reads checkpoints.
public interface CheckpointReader {

  /// @return empty when that consumer or job has never written one, or it cannot be read any more
  Optional<Checkpoint> checkpoint(String name);
}
