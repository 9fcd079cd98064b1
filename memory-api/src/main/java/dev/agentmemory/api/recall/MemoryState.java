package dev.agentmemory.api.recall;

import java.time.Instant;
import java.util.List;

/// A former state of a memory.
///
/// @param until when an update replaced it
/// @param reason what replaced it: `update`, `merge`, `promotion`, `supersession`, `import` or
///   `undo`
public record MemoryState(MemoryRecord memory, Instant until, String reason) {

  /// The former states of a memory.
  ///
  /// @param states the latest first
  /// @param skipped how many were left out because their checksum does not match
  public record History(List<MemoryState> states, long skipped) {

    public History {
      states = List.copyOf(states);
    }
  }
}
