package dev.agentmemory.recall.memory;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.Optional;

/// What became of a memory that was to be stored.
public sealed interface AddOutcome {

  record Added(MemoryRecord memory) implements AddOutcome {}

  /// It is known with the same content; nothing changed.
  record Known(MemoryRecord memory) implements AddOutcome {}

  /// It was deleted, or dropped by upkeep, and stays away.
  record Gone(MemoryId id) implements AddOutcome {}

  record Refused(MemoryException why) implements AddOutcome {}

  /// The memory as it is stored.
  default Optional<MemoryRecord> stored() {
    return switch (this) {
      case Added(MemoryRecord memory) -> Optional.of(memory);
      case Known(MemoryRecord memory) -> Optional.of(memory);
      case Gone _, Refused _ -> Optional.empty();
    };
  }
}
